import { useState } from 'react';
import type { NewPair } from '../../../../server/contract/console/keys.ts';
import { LeftSentence } from '../shared/time/Countdown.tsx';
import { serverNowMs } from '../shared/time/server-time.ts';
import { Secrets, ShownOnceDialog } from '../shared/dialogs/ShownOnce.tsx';
import { useQuery } from '@tanstack/react-query';
import { settings } from '../../../../server/contract/routes/console/settings.ts';
import { reading } from '../shared/client/api.ts';
import { CopyButton } from '../shared/copy.tsx';
import { messageFor } from '../../../i18n/catalogues.ts';
import { useWords } from '../shared/words.tsx';
import { exportsOf } from './exports.ts';

export function NewKeys({ made, onClose }: { made: NewPair; onClose: () => void }) {
  const words = useWords('keys');
  const oldEnd = made.old_ends_at;
  const [shownMs] = useState(serverNowMs);
  const { data: network } = useQuery(reading(['keys', 'network'], settings.network));
  const pasted = network === undefined ? null : exportsOf(made, network.base_url);
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
              <LeftSentence words={words.oldEnd} at={oldEnd} />
            )}
          </p>
        )
      }
      done={words.done}
      onDone={onClose}
    >
      <Secrets
        secrets={made.keys.map(({ kind, key }) => ({
          label: kind,
          hint: messageFor(words.purposes, kind),
          value: key,
        }))}
      />
      {pasted !== null && (
        <div>
          <p>{words.paste}</p>
          <div className="row">
            <pre className="code" tabIndex={0} aria-label={words.paste}>
              {pasted}
            </pre>
            <CopyButton value={pasted} label={words.paste} />
          </div>
        </div>
      )}
    </ShownOnceDialog>
  );
}
