import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { kiosks as kiosksRoutes } from '../../../../server/contract/routes/console/kiosks.ts';
import { type KioskRecord, MAX_KIOSK_NAME_CHARS } from '../../../../server/contract/console/kiosks.ts';
import { Facts } from '../shared/lists/DetailDrawer.tsx';
import { PageLightFact } from '../shared/PageLight.tsx';
import { FormDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { useScopedCall } from '../shared/client/session.ts';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { EventSelect } from './EventSelect.tsx';
import { showKiosk } from './use-door.ts';

export function EditKiosk({ kiosk, onClose }: { kiosk: KioskRecord; onClose: () => void }) {
  const words = useWords('door');
  const common = useCommonWords();
  const call = useScopedCall();
  const client = useQueryClient();
  const [name, setName] = useState(kiosk.name);
  const [eventId, setEventId] = useState(kiosk.event_id ?? '');
  const saving = useMutation({
    mutationFn: () =>
      call(kiosksRoutes.change, {
        params: { kiosk_id: kiosk.kiosk_id },
        body: {
          name: name.trim(),
          event_id: eventId === '' ? null : eventId,
        },
      }),
    onSuccess: (changed) => {
      showKiosk(client, changed);
      onClose();
    },
  });
  return (
    <FormDialog
      title={words.kiosks.editTitle({ name: kiosk.name })}
      submit={common.actions.save}
      isReady={name.trim() !== ''}
      sending={saving}
      onClose={onClose}
    >
      <TextInput
        label={words.kiosks.name}
        data-autofocus
        autoComplete="off"
        maxLength={MAX_KIOSK_NAME_CHARS}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <EventSelect
        value={eventId}
        own={{ id: kiosk.event_id, name: kiosk.event_name }}
        onChange={setEventId}
      />
      <Facts>
        <PageLightFact
          kind="kiosk"
          placeId={kiosk.kiosk_id}
          read={(signal) => call(kiosksRoutes.light, { params: { kiosk_id: kiosk.kiosk_id }, signal })}
        />
      </Facts>
    </FormDialog>
  );
}
