import { useState } from 'react';
import type { NewPair } from '../../../../server/contract/console/keys.ts';
import { Countdown } from '../shared/time/Countdown.tsx';
import { serverNowMs } from '../shared/time/server-time.ts';
import { Secrets, ShownOnceDialog } from '../shared/dialogs/ShownOnce.tsx';
import { useWords } from '../shared/words.tsx';

export function NewKeys({ made, onClose }: { made: NewPair; onClose: () => void }) {
  const words = useWords('keys');
  const oldEnd = made.old_ends_at;
  const [shownMs] = useState(serverNowMs);
  return (
    <ShownOnceDialog
      title={words.newKeys}
      warning={words.warning}
      confirm={words.stored}
      note={
        oldEnd !== null && (
          <p className="quiet">
            {Date.parse(oldEnd) <= shownMs ? (
              words.oldEnded
            ) : (
              <>
                {words.oldEnd} <Countdown at={oldEnd} />.
              </>
            )}
          </p>
        )
      }
      done={words.done}
      onDone={onClose}
    >
      <Secrets secrets={made.keys.map(({ kind, key }) => ({ label: kind, value: key }))} />
    </ShownOnceDialog>
  );
}
