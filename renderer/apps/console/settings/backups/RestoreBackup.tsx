import { Button, Checkbox, NativeSelect, Progress, Textarea } from '@mantine/core';
import { useState } from 'react';
import { backups as backupsRoutes } from '../../../../../server/contract/routes/console/settings.ts';
import { type BackupState, MAX_PHRASE_CHARS } from '../../../../../server/contract/console/settings.ts';
import { call } from '../../shared/client/api.ts';
import { ConfirmDialog } from '../../shared/dialogs/ConfirmDialog.tsx';
import { AskAdmins } from './AskAdmins.tsx';
import { CopyButton } from '../../shared/copy.tsx';
import { useCodeText } from '../../shared/client/error-text.ts';
import { Icon } from '../../shared/icons.tsx';
import { useUnsaved } from '../../shared/forms/unsaved.ts';
import { useWords } from '../../shared/words.tsx';
import { Panel } from '../Section.tsx';

type Props = { state: BackupState; put: (next: BackupState) => void };

/** Replaces all data with a backup: chosen, verified completely, then the server restarts with it. */
export function RestoreBackup({ state, put }: Props) {
  const { backups: words } = useWords('settings');
  const reasonOf = useCodeText();
  const command = state.restore_command;
  return (
    <Panel title={words.restoreTitle} text={words.restoreText}>
      <div className="stack form">
        {state.restore_failure !== null && state.restoring === null && (
          <p className="error-line" role="alert">
            <Icon name="look" />
            <span>{words.restoreFailed({ why: reasonOf(state.restore_failure) })}</span>
          </p>
        )}
        {state.restoring === null ? (
          state.files.length > 0 && <Choose state={state} put={put} />
        ) : state.restoring.question === null ? (
          <UnderWay restoring={state.restoring} />
        ) : (
          <AskAdmins question={state.restoring.question} name={state.restoring.name} put={put} />
        )}
      </div>
      <p className="quiet settings__elsewhere">{words.restoreElsewhere}</p>
      <div className="row">
        <code className="settings__command">{command}</code>
        <CopyButton value={command} label={words.restoreElsewhere} />
      </div>
    </Panel>
  );
}

function UnderWay({ restoring }: { restoring: NonNullable<BackupState['restoring']> }) {
  const { backups: words } = useWords('settings');
  const { name, step, percent } = restoring;
  const said = words.restoreSteps[step];
  return (
    <div role="status">
      <p>
        <code>{name}</code>
      </p>
      <p>{step === 'unpacking' ? words.progress({ step: said, share: percent / 100 }) : said}</p>
      <Progress
        value={step === 'unpacking' ? percent : 100}
        animated={step !== 'unpacking'}
        aria-label={said}
      />
    </div>
  );
}

function Choose({ state, put }: Props) {
  const { backups: words } = useWords('settings');
  const [chosen, setChosen] = useState('');
  const [phrase, setPhrase] = useState('');
  const [keepsAccess, setKeepsAccess] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  useUnsaved(phrase.trim() !== '');
  // Another backup may have been made, and the oldest removed, since the page was opened.
  const name = state.files.some((file) => file.name === chosen) ? chosen : (state.files[0]?.name ?? '');
  return (
    <>
      <NativeSelect
        label={words.file}
        value={name}
        data={state.files.map((file) => file.name)}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      />
      <Textarea
        label={words.phraseTitle}
        description={words.restorePhraseHelp}
        rows={3}
        autosize={false}
        maxLength={MAX_PHRASE_CHARS}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={phrase}
        onChange={({ currentTarget }) => setPhrase(currentTarget.value)}
      />
      <Checkbox
        label={words.keepAccess}
        description={words.keepAccessHelp}
        checked={keepsAccess}
        onChange={({ currentTarget }) => setKeepsAccess(currentTarget.checked)}
      />
      <div className="row">
        <Button variant="default" onClick={() => setIsAsked(true)}>
          {words.restoreBegin}
        </Button>
      </div>
      {isAsked && (
        <ConfirmDialog
          title={words.restoreConfirmTitle({ name })}
          confirm={words.restoreTitle}
          destructive
          act={async () => {
            const body = { name, phrase: phrase.trim() === '' ? null : phrase, keep_access: keepsAccess };
            put(await call(backupsRoutes.restore, { body }));
            setPhrase('');
          }}
          onClose={() => setIsAsked(false)}
        >
          {words.restoreConfirmText}
        </ConfirmDialog>
      )}
    </>
  );
}
