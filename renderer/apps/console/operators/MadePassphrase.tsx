import { Button } from '@mantine/core';
import { useState } from 'react';
import type { OperatorWithPassphrase } from '../../../../server/contract/console/operators.ts';
import { Dialog } from '../shared/Dialog.tsx';
import { CopyOnce } from '../shared/copy.tsx';
import { useWords } from '../shared/words.tsx';

/** Closed only by its button, once the passphrase is stored: an accidental click must not lose it. */
export function MadePassphrase({ made, onClose }: { made: OperatorWithPassphrase; onClose: () => void }) {
  const words = useWords('operators');
  const [stored, setStored] = useState(false);
  const { name } = made.operator;
  return (
    <Dialog
      onClose={onClose}
      title={words.passphraseFor({ name })}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <div className="stack">
        <CopyOnce
          secrets={[{ label: name, value: made.passphrase ?? '' }]}
          warning={words.passphraseWarning}
          confirm={words.passphraseStored}
          stored={stored}
          onStored={setStored}
        />
        <div className="dialog-actions">
          <Button disabled={!stored} onClick={onClose}>
            {words.done}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
