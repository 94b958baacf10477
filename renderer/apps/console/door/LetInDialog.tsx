/** Lets a guest in with one touch on a reason: a queue is waiting. A reason of one's own is typed. */
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DoorRun } from '../../../../server/contract/console/door.ts';
import { guestNumber } from '../../../../server/contract/guest-number.ts';
import { door } from '../../../../server/contract/routes/console/door.ts';
import { CloseButton, ConfirmDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { Dialog } from '../shared/dialogs/Dialog.tsx';
import { useScopedCall } from '../shared/client/session.ts';
import { ErrorLine } from '../shared/states.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';

const QUICK = ['back', 'noCamera', 'papers', 'known'] as const;

type LetInProps = { run: Pick<DoorRun, 'session_id' | 'guest'>; onClose: () => void };

export function LetInDialog({ run: { session_id, guest }, onClose }: LetInProps) {
  const { actions: words, quick, walkUpGuest, number } = useWords('door');
  const common = useCommonWords();
  const call = useScopedCall();
  const client = useQueryClient();
  const [isTyped, setTyped] = useState(false);
  const act = async (reason: string) => {
    await call(door.letIn, { params: { session_id }, body: { reason } });
    await client.invalidateQueries({ queryKey: ['door'] });
  };
  const letting = useMutation({ mutationFn: act, onSuccess: onClose });
  const who = guest ?? `${walkUpGuest} (${number({ number: guestNumber(session_id) })})`;
  const title = words.let_inTitle({ guest: who });
  if (isTyped) {
    return (
      <ConfirmDialog title={title} confirm={words.let_in} withReason act={act} onClose={onClose}>
        {words.let_inText}
      </ConfirmDialog>
    );
  }
  return (
    <Dialog onClose={onClose} title={title}>
      <div className="stack">
        <p>{words.let_inText}</p>
        <div className="quick" role="group" aria-label={quick.label}>
          {QUICK.map((reason, index) => (
            <Button
              key={reason}
              size="md"
              variant="default"
              data-autofocus={index === 0 || undefined}
              loading={letting.isPending && letting.variables === quick[reason]}
              disabled={letting.isPending}
              onClick={() => letting.mutate(quick[reason])}
            >
              {quick[reason]}
            </Button>
          ))}
        </div>
        <ErrorLine error={letting.error} />
        <div className="dialog-actions">
          <Button variant="subtle" onClick={() => setTyped(true)}>
            {quick.other}
          </Button>
          <CloseButton>{common.actions.cancel}</CloseButton>
        </div>
      </div>
    </Dialog>
  );
}
