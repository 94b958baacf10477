import { Radio } from '@mantine/core';
import { useState } from 'react';
import { keys } from '../../../../server/contract/routes/console/keys.ts';
import { PAIR_TYPES, type PairIssued, type PairType } from '../../../../server/contract/console/keys.ts';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';
import { useScopedCall } from '../shared/scoped.ts';
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
        <Radio.Group
          label={words.type}
          value={type}
          onChange={(chosen) => {
            const known = PAIR_TYPES.find((candidate) => candidate === chosen);
            if (known !== undefined) setType(known);
          }}
        >
          <div className="choices">
            {PAIR_TYPES.map((known) => (
              <Radio
                key={known}
                value={known}
                label={words.types[known]}
                description={words.typeHelp[known]}
              />
            ))}
          </div>
        </Radio.Group>
      </div>
    </ConfirmDialog>
  );
}
