import { Button } from '@mantine/core';
import { useState } from 'react';
import type { NewPair } from '../../../../server/contract/console/keys.ts';
import { Dialog } from '../shared/Dialog.tsx';
import { CopyOnce } from '../shared/copy.tsx';
import { Countdown } from '../shared/Countdown.tsx';
import { useWords } from '../shared/words.tsx';

/** Closed only by its button, once the keys are stored: an accidental click must not lose them. */
export function NewKeys({ made, onClose }: { made: NewPair; onClose: () => void }) {
  const words = useWords('keys');
  const [stored, setStored] = useState(false);
  const oldEnd = made.old_ends_at;
  const [shownMs] = useState(Date.now);
  return (
    <Dialog
      onClose={onClose}
      title={words.newKeys}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <div className="stack">
        <CopyOnce
          secrets={made.keys.map(({ kind, key }) => ({ label: kind, value: key }))}
          warning={words.warning}
          confirm={words.stored}
          stored={stored}
          onStored={setStored}
        />
        {oldEnd !== null && (
          <p className="quiet">
            {Date.parse(oldEnd) <= shownMs ? (
              words.oldEnded
            ) : (
              <>
                {words.oldEnd} <Countdown at={oldEnd} />.
              </>
            )}
          </p>
        )}
        <div className="dialog-actions">
          <Button disabled={!stored} onClick={onClose}>
            {words.done}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
