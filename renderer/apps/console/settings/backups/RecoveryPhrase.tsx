import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { settings } from '../../../../../server/contract/routes/console/settings.ts';
import type { BackupState } from '../../../../../server/contract/console/settings.ts';
import { call } from '../../shared/client/api.ts';
import { ConfirmDialog } from '../../shared/dialogs/ConfirmDialog.tsx';
import { ErrorLine, Note } from '../../shared/states.tsx';
import { ShownOnceDialog } from '../../shared/dialogs/ShownOnce.tsx';
import { TimeSentence } from '../../shared/time/Time.tsx';
import { useWords } from '../../shared/words.tsx';
import { Panel } from '../Section.tsx';

/** The words that open backups on another machine: created here, shown once, stored nowhere. */
export function RecoveryPhrase({ state, put }: { state: BackupState; put: (next: BackupState) => void }) {
  const { backups: words } = useWords('settings');
  const [asked, setAsked] = useState(false);
  const [phrase, setPhrase] = useState<string | null>(null);
  const madeAt = state.recovery_made_at;
  const make = async () => {
    const made = await call(settings.renewRecoveryPhrase);
    put({ ...state, recovery_made_at: new Date().toISOString(), recovery_is_signing: true });
    setPhrase(made.phrase);
  };
  const making = useMutation({ mutationFn: make });
  return (
    <Panel title={words.phraseTitle}>
      <div className="stack">
        {madeAt === null ? (
          <Note>{words.phraseNone}</Note>
        ) : (
          <p className="quiet">
            <TimeSentence words={words.phraseMade} at={madeAt} />
          </p>
        )}
        {madeAt !== null && !state.recovery_is_signing && <Note>{words.phraseUnsigned}</Note>}
        <ErrorLine error={making.error} />
        <div className="row">
          <Button
            variant="default"
            loading={making.isPending}
            onClick={() => (madeAt === null ? making.mutate() : setAsked(true))}
          >
            {madeAt === null ? words.makePhrase : words.renewPhrase}
          </Button>
        </div>
      </div>
      {asked && (
        <ConfirmDialog
          title={words.phraseConfirmTitle}
          confirm={words.renewPhrase}
          destructive
          act={make}
          onClose={() => setAsked(false)}
        >
          {words.phraseConfirmText}
        </ConfirmDialog>
      )}
      {phrase !== null && <PhraseOnce phrase={phrase} onClose={() => setPhrase(null)} />}
    </Panel>
  );
}

function PhraseOnce({ phrase, onClose }: { phrase: string; onClose: () => void }) {
  const { backups: words } = useWords('settings');
  return (
    <ShownOnceDialog
      size={620}
      title={words.phraseTitle}
      warning={words.phraseWarning}
      confirm={words.phraseStored}
      done={words.done}
      onDone={onClose}
    >
      <ol className="settings__words" aria-label={words.phraseWords}>
        {phrase.split(' ').map((word, place) => (
          <li key={`${place} ${word}`}>{word}</li>
        ))}
      </ol>
    </ShownOnceDialog>
  );
}
