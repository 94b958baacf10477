import { Button, Modal, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { kiosks as kiosksRoutes } from '../../../../server/contract/routes/console/kiosks.ts';
import type { KioskRecord, KioskWithCode } from '../../../../server/contract/console/kiosks.ts';
import { Copyable } from '../shared/copy.tsx';
import { useScopedCall } from '../shared/scoped.ts';
import { FormDialog } from '../shared/FormDialog.tsx';
import { ErrorLine } from '../shared/states.tsx';
import { clockTime } from '../shared/time.ts';
import { useCommonWords, useLanguage, useWords } from '../shared/words.tsx';

const MAX_NAME_CHARS = 60;

/** Asks for a name, then shows the code to type at the device. */
export function PairKiosk({ eventId, onClose }: { eventId: string | null; onClose: () => void }) {
  const { kiosks: words } = useWords('door');
  const common = useCommonWords();
  const call = useScopedCall();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const adding = useMutation({
    mutationFn: () => call(kiosksRoutes.add, { body: { name: name.trim(), event_id: eventId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['door'] }),
  });
  if (adding.data !== undefined) return <ShownCode made={adding.data} onClose={onClose} />;
  return (
    <FormDialog
      title={words.pair}
      submit={common.actions.next}
      isReady={name.trim() !== ''}
      sending={adding}
      onClose={onClose}
    >
      <TextInput
        label={words.name}
        description={words.nameHelp}
        data-autofocus
        autoComplete="off"
        maxLength={MAX_NAME_CHARS}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </FormDialog>
  );
}

/** Another code for a kiosk that is there already. */
export function NewCode({ kiosk, onClose }: { kiosk: KioskRecord; onClose: () => void }) {
  const { kiosks: words } = useWords('door');
  const common = useCommonWords();
  const call = useScopedCall();
  const { mutate, data, error } = useMutation({
    mutationFn: (id: string) => call(kiosksRoutes.renewCode, { params: { kiosk_id: id } }),
  });
  useEffect(() => mutate(kiosk.kiosk_id), [mutate, kiosk.kiosk_id]);
  if (data !== undefined) return <ShownCode made={data} onClose={onClose} />;
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.codeTitle({ name: kiosk.name })}
      centered
      closeButtonProps={{ 'aria-label': common.actions.close }}
    >
      {error === null ? <p className="quiet">{common.table.loading}</p> : <ErrorLine error={error} />}
    </Modal>
  );
}

function ShownCode({ made, onClose }: { made: KioskWithCode; onClose: () => void }) {
  const { kiosks: words, codes } = useWords('door');
  const { language } = useLanguage();
  const common = useCommonWords();
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.codeTitle({ name: made.kiosk.name })}
      centered
      closeButtonProps={{ 'aria-label': common.actions.close }}
    >
      <div className="stack">
        <p>{words.codeText}</p>
        <Copyable value={made.kiosk_url} label={words.address} />
        <p className="pairing-code" aria-label={words.code}>
          {made.code}
        </p>
        <p className="quiet">{codes.until({ time: clockTime(made.ends_at, language) })}</p>
        <div className="dialog-actions">
          <Button data-autofocus onClick={onClose}>
            {words.done}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
