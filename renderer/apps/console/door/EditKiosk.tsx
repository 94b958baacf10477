import { Switch, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { kiosks as kiosksRoutes } from '../../../../server/contract/routes/console/kiosks.ts';
import { type KioskRecord, MAX_KIOSK_NAME_CHARS } from '../../../../server/contract/console/kiosks.ts';
import { Facts } from '../shared/lists/DetailDrawer.tsx';
import { PageLightFact } from '../shared/PageLight.tsx';
import { FormDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { useScopedCall } from '../shared/client/session.ts';
import { useForm } from '../shared/forms/use-form.ts';
import { useSaving } from '../shared/forms/use-saving.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { EventSelect, useEventNames } from './EventSelect.tsx';
import { showKiosk } from './use-door.ts';

/** Name of the draft. */
export const kioskDraft = ({ kiosk_id }: KioskRecord): string => `kiosk ${kiosk_id}`;

export function EditKiosk({ kiosk, onClose }: { kiosk: KioskRecord; onClose: () => void }) {
  const words = useWords('door');
  const common = useCommonWords();
  const call = useScopedCall();
  const client = useQueryClient();
  const eventNames = useEventNames();
  const form = useForm({
    name: kioskDraft(kiosk),
    read: { name: kiosk.name, event_id: kiosk.event_id, is_way_out: kiosk.is_way_out },
    version: kiosk.version,
  });
  const { name, event_id: eventId } = form.values;
  const saving = useSaving(form, {
    send: ({ name: newName, ...changes }, version) =>
      call(kiosksRoutes.change, {
        params: { kiosk_id: kiosk.kiosk_id },
        body: { ...changes, ...(newName !== undefined && { name: newName.trim() }), version },
      }),
    onSaved: (changed) => {
      showKiosk(client, changed);
      onClose();
    },
    labels: { name: words.kiosks.name, event_id: words.event, is_way_out: words.kiosks.wayOut },
    show: (field, value) => {
      if (field !== 'event_id') return undefined;
      return value === null ? words.kiosks.noEvent : (eventNames.get(value as string) ?? (value as string));
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
        {...form.text('name')}
      />
      <EventSelect
        value={eventId ?? ''}
        own={{ id: kiosk.event_id, name: kiosk.event_name }}
        onChange={(id) => form.set({ event_id: id === '' ? null : id })}
      />
      <Switch
        label={words.kiosks.wayOut}
        description={words.kiosks.wayOutHelp}
        {...form.tick('is_way_out')}
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
