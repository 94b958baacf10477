import { useState } from 'react';
import { keys } from '../../../../server/contract/routes/console/keys.ts';
import { PAIR_TYPES, type PairIssued, type PairType } from '../../../../server/contract/console/keys.ts';
import { Choices } from '../shared/Choices.tsx';
import { ConfirmDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { useScopedCall } from '../shared/client/session.ts';
import { useWords } from '../shared/words.tsx';

/** Asks for the purpose of the keys; `onIssued` shows them. */
export function IssueKeys({
  onIssued,
  onClose,
}: {
  onIssued: (issued: PairIssued) => void;
  onClose: () => void;
}) {
  const words = useWords('keys');
  const call = useScopedCall();
  const [type, setType] = useState<PairType>('v3');
  return (
    <ConfirmDialog
      title={words.issueTitle}
      confirm={words.issue}
      withReason
      act={async (reason) => onIssued(await call(keys.issue, { body: { type, reason } }))}
      onClose={onClose}
    >
      <div className="stack">
        <p>{words.issueText}</p>
        <Choices
          label={words.type}
          names={PAIR_TYPES}
          texts={words.types}
          help={words.typeHelp}
          value={type}
          onChange={setType}
        />
      </div>
    </ConfirmDialog>
  );
}
