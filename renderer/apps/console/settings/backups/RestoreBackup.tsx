import { Checkbox, NativeSelect, Progress, Textarea } from '@mantine/core';
import { useState } from 'react';
import { backups as backupsRoutes } from '../../../../../server/contract/routes/console/settings.ts';
import { type BackupState, MAX_PHRASE_CHARS } from '../../../../../server/contract/console/settings.ts';
import { call } from '../../shared/client/api.ts';
import { ConfirmButton } from '../../shared/dialogs/ConfirmDialog.tsx';
import { AskAdmins } from './AskAdmins.tsx';
import { CopyButton } from '../../shared/copy.tsx';
import { useCodeText } from '../../shared/client/error-text.ts';
import { Icon } from '../../shared/icons.tsx';
import { useUnsaved } from '../../shared/forms/unsaved.ts';
import { megabytes } from '../../shared/megabytes.ts';
import { Time } from '../../shared/time/Time.tsx';
import { exactTime } from '../../shared/time/time.ts';
import { useLanguage, useWords } from '../../shared/words.tsx';
import { Note } from '../../shared/states.tsx';
import { text, tick } from '../../shared/forms/fields.ts';
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
          <UnderWay restoring={state.restoring} command={state.start_command} />
        ) : (
          <AskAdmins question={state.restoring.question} name={state.restoring.name} put={put} />
        )}
      </div>
      <Replaced state={state} />
      <p className="quiet settings__elsewhere">
        {command === null ? words.restoreInApp : words.restoreElsewhere}
      </p>
      {command !== null && <Command text={command} label={words.restoreElsewhere} />}
    </Panel>
  );
}

type UnderWayProps = {
  restoring: NonNullable<BackupState['restoring']>;
  /** Null if whatever runs the service starts it again. */
  command: string | null;
};

/** The last reply before the service stops says that it is decided, so the page stays right while nothing answers. */
function UnderWay({ restoring, command }: UnderWayProps) {
  const { backups: words } = useWords('settings');
  const { name, step, percent } = restoring;
  if (step === 'restarting')
    return (
      <div className="stack" role="status">
        <Note tone="passed" icon="check">
          {command === null ? words.restored : words.restoredStart}
        </Note>
        {command !== null && <Command text={command} label={words.restoredStart} />}
      </div>
    );
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

function Command({ text, label }: { text: string; label: string }) {
  return (
    <div className="row">
      <code className="settings__command">{text}</code>
      <CopyButton value={text} label={label} />
    </div>
  );
}

/** Data that restores replaced: where it is, and the way back. */
function Replaced({ state: { replaced, data_folder: folder } }: { state: BackupState }) {
  const { backups: words } = useWords('settings');
  const { language } = useLanguage();
  if (replaced.length === 0) return null;
  return (
    <>
      <h3>{words.replaced}</h3>
      <p className="quiet">{words.replacedText({ folder })}</p>
      <ul className="settings__files" aria-label={words.replaced}>
        {replaced.map((data) => (
          <li key={data.folder}>
            <code>{data.folder}</code>
            <span className="quiet">
              {`${megabytes(data.bytes, language)} · `}
              <Time at={data.replaced_at} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Choose({ state, put }: Props) {
  const { backups: words } = useWords('settings');
  const { language } = useLanguage();
  const [chosen, setChosen] = useState('');
  const [phrase, setPhrase] = useState('');
  const [keepsAccess, setKeepsAccess] = useState(false);
  useUnsaved(phrase.trim() !== '');
  // Another backup may have been made, and the oldest removed, since the page was opened.
  const name = state.files.some((file) => file.name === chosen) ? chosen : (state.files[0]?.name ?? '');
  return (
    <>
      <NativeSelect
        label={words.file}
        value={name}
        data={state.files.map(({ name: value, made_at, bytes }) => ({
          value,
          label: `${exactTime(made_at, language)} · ${megabytes(bytes, language)} · ${value}`,
        }))}
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
        {...text(phrase, setPhrase)}
      />
      <Checkbox
        label={words.keepAccess}
        description={words.keepAccessHelp}
        {...tick(keepsAccess, setKeepsAccess)}
      />
      <div className="row">
        <ConfirmButton
          button={{ children: words.restoreBegin }}
          title={words.restoreConfirmTitle({ name })}
          confirm={words.restoreTitle}
          destructive
          act={async () => {
            const body = { name, phrase: phrase.trim() === '' ? null : phrase, keep_access: keepsAccess };
            put(await call(backupsRoutes.restore, { body }));
            setPhrase('');
          }}
        >
          <dl className="restore-effects">
            {(['replaced', 'kept', 'disabled', 'ended'] as const).map((effect) => (
              <div key={effect}>
                <dt>{words.effects[effect].title}</dt>
                <dd>
                  {effect === 'disabled' && keepsAccess
                    ? words.effects.disabled.unless
                    : words.effects[effect].text}
                </dd>
              </div>
            ))}
          </dl>
        </ConfirmButton>
      </div>
    </>
  );
}
