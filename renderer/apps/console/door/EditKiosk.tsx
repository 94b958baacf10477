import { NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { events as eventsRoutes } from '../../../../server/contract/routes/console/events.ts';
import { kiosks as kiosksRoutes } from '../../../../server/contract/routes/console/kiosks.ts';
import type { KioskRecord } from '../../../../server/contract/console/kiosks.ts';
import { FormDialog } from '../shared/FormDialog.tsx';
import { useScopedCall, useScopeFilter } from '../shared/scoped.ts';
import { useCommonWords, useWords } from '../shared/words.tsx';

const MAX_NAME_CHARS = 60;
/** Events that are over are no choice, but for the one it has. */
const OFFERED = 50;

export function EditKiosk({ kiosk, onClose }: { kiosk: KioskRecord; onClose: () => void }) {
  const words = useWords('door');
  const common = useCommonWords();
  const call = useScopedCall();
  const scope = useScopeFilter();
  const client = useQueryClient();
  const [name, setName] = useState(kiosk.name);
  const [eventId, setEventId] = useState(kiosk.event_id ?? '');
  const events = useQuery({
    queryKey: ['events', 'choice', scope],
    queryFn: ({ signal }) => call(eventsRoutes.list, { query: { ...scope, limit: OFFERED }, signal }),
  });
  const saving = useMutation({
    mutationFn: () =>
      call(kiosksRoutes.change, {
        params: { kiosk_id: kiosk.kiosk_id },
        body: {
          name: name.trim(),
          event_id: eventId === '' ? null : eventId,
        },
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['door'] });
      onClose();
    },
  });
  const choices = (events.data?.items ?? [])
    .filter(({ state, event_id }) => state !== 'over' || event_id === kiosk.event_id)
    .map(({ event_id, name: label }) => ({ value: event_id, label }));
  if (kiosk.event_id !== null && !choices.some(({ value }) => value === kiosk.event_id)) {
    choices.push({ value: kiosk.event_id, label: kiosk.event_name ?? kiosk.event_id });
  }
  return (
    <FormDialog
      title={words.kiosks.editTitle({ name: kiosk.name })}
      submit={common.actions.save}
      isReady={name.trim() !== ''}
      sending={{ ...saving, error: saving.error ?? events.error }}
      onClose={onClose}
    >
      <TextInput
        label={words.kiosks.name}
        data-autofocus
        autoComplete="off"
        maxLength={MAX_NAME_CHARS}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <NativeSelect
        label={words.event}
        value={eventId}
        data={[{ value: '', label: words.kiosks.noEvent }, ...choices]}
        onChange={({ currentTarget }) => setEventId(currentTarget.value)}
      />
    </FormDialog>
  );
}
