import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { kiosks as kiosksRoutes } from '../../../../server/contract/routes/console/kiosks.ts';
import {
  type KioskRecord,
  type KioskWithCode,
  MAX_KIOSK_NAME_CHARS,
} from '../../../../server/contract/console/kiosks.ts';
import { FormDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { Dialog } from '../shared/dialogs/Dialog.tsx';
import { useScopedCall } from '../shared/client/session.ts';
import { EventSelect } from './EventSelect.tsx';
import { JoinKiosk } from './JoinKiosk.tsx';
import { ErrorLine } from '../shared/states.tsx';
import { useForm } from '../shared/forms/use-form.ts';
import { useSaving } from '../shared/forms/use-saving.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { showKiosk } from './use-door.ts';

/** Name of the draft. */
export const NEW_KIOSK_DRAFT = 'new kiosk';

/** Asks for a name and an event, then shows how to pair a device. */
export function PairKiosk({ eventId: shown, onClose }: { eventId: string | null; onClose: () => void }) {
  const { kiosks: words } = useWords('door');
  const common = useCommonWords();
  const call = useScopedCall();
  const client = useQueryClient();
  const form = useForm({ name: NEW_KIOSK_DRAFT, read: { name: '', eventId: shown ?? '' } });
  const { name, eventId } = form.values;
  const [made, setMade] = useState<KioskWithCode | null>(null);
  const adding = useSaving(form, {
    send: () =>
      call(kiosksRoutes.add, { body: { name: name.trim(), event_id: eventId === '' ? null : eventId } }),
    onSaved: (added) => {
      setMade(added);
      showKiosk(client, added.kiosk);
      void client.invalidateQueries({ queryKey: ['door', 'first-steps'] });
    },
    labels: {},
  });
  if (made !== null) return <JoinKiosk made={made} onClose={onClose} />;
  return (
    <FormDialog
      title={words.pair}
      submit={common.actions.next}
      isReady={name.trim() !== ''}
      sending={adding}
      onClose={onClose}
    >
      <p>{words.what}</p>
      <TextInput
        label={words.name}
        description={words.nameHelp}
        data-autofocus
        autoComplete="off"
        maxLength={MAX_KIOSK_NAME_CHARS}
        {...form.text('name')}
      />
      <EventSelect value={eventId} onChange={(id) => form.set({ eventId: id })} />
    </FormDialog>
  );
}

/** Another code for an existing kiosk. */
export function NewCode({ kiosk, onClose }: { kiosk: KioskRecord; onClose: () => void }) {
  const { kiosks: words } = useWords('door');
  const common = useCommonWords();
  const call = useScopedCall();
  const client = useQueryClient();
  const { mutate, data, error } = useMutation({
    mutationFn: (id: string) => call(kiosksRoutes.renewCode, { params: { kiosk_id: id } }),
    onSuccess: ({ kiosk: changed }) => showKiosk(client, changed),
  });
  useEffect(() => mutate(kiosk.kiosk_id), [mutate, kiosk.kiosk_id]);
  if (data !== undefined) return <JoinKiosk made={data} onClose={onClose} />;
  return (
    <Dialog onClose={onClose} title={words.codeTitle({ name: kiosk.name })}>
      {error === null ? <p className="quiet">{common.table.loading}</p> : <ErrorLine error={error} />}
    </Dialog>
  );
}
