/** A new version from a signed file: checked first, then installed by an admin who repeats their passphrase. */
import { Button, Checkbox, Progress, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { updates as updateRoutes } from '../../../../server/contract/routes/console/settings.ts';
import {
  type CheckedUpdate,
  MAX_UPDATE_PATH_CHARS,
  type UpdateState,
} from '../../../../server/contract/console/updates.ts';
import { RequestError } from '../../../http/request-error.ts';
import { call } from '../shared/client/api.ts';
import { FormDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { Fact, Facts, TimeFact } from '../shared/lists/DetailDrawer.tsx';
import { megabytes } from '../shared/megabytes.ts';
import { ErrorLine, Said, Note } from '../shared/states.tsx';
import { Submit, Form } from '../shared/forms/Submit.tsx';
import { useLanguage, useWords } from '../shared/words.tsx';
import { Panel, WithSetting } from './Section.tsx';
import { CurrentPassphrase } from '../shared/forms/CurrentPassphrase.tsx';
import { text, tick } from '../shared/forms/fields.ts';

/** Neither progress nor a restart is announced. */
const WATCH_MS = 500;
/** Somebody has to restart it. */
const BY_HAND_MS = 10_000;

type Props = { state: UpdateState; put: (next: UpdateState) => void };

export function Updates() {
  return (
    <WithSetting
      name={['updates']}
      read={(signal) => call(updateRoutes.read, { signal })}
      refetchMs={({ working, last, restarts_itself: restarts, by_package: byPackage }) => {
        if (working !== null) return WATCH_MS;
        return last?.state === 'waiting' && (restarts && !byPackage ? WATCH_MS : BY_HAND_MS);
      }}
    >
      {(state, put) => <FromFile state={state} put={put} />}
    </WithSetting>
  );
}

function FromFile({ state, put }: Props) {
  const { updates: words, system } = useWords('settings');
  const [opened] = useState(state.version);
  const { version, newest_accepted: newest, last, checked, working } = state;
  const isOurs = state.updates_itself || state.by_package;
  return (
    <>
      <Panel title={words.title} text={isOurs ? words.text : words.elsewhere}>
        <div className="stack">
          <Facts>
            <Fact term={system.version}>{version}</Fact>
            {newest !== null && newest !== version && <Fact term={words.newest}>{newest}</Fact>}
          </Facts>
          {version !== opened && <Said>{words.installed({ version })}</Said>}
          {last?.state === 'undone' && <Undone last={last} />}
          {isOurs && last?.state === 'waiting' && <Waiting state={state} put={put} version={last.version} />}
          {isOurs && last?.state !== 'waiting' && <Choose state={state} put={put} />}
        </div>
      </Panel>
      {checked !== null && working === null && last?.state !== 'waiting' && (
        <Found state={state} checked={checked} put={put} />
      )}
    </>
  );
}

function Choose({ state: { working, problem, checked }, put }: Props) {
  const { updates: words, backups } = useWords('settings');
  const [file, setFile] = useState(working?.file ?? checked?.file ?? '');
  const checking = useMutation({
    mutationFn: () => call(updateRoutes.check, { body: { file: file.trim() } }),
    onSuccess: put,
  });
  const said =
    working && (working.step === 'waiting' ? words.steps.waiting(working) : words.steps[working.step]);
  const isEndless = working?.step === 'waiting' || working?.step === 'installing';
  return (
    <>
      <Form className="stack form" onSubmit={() => checking.mutate()}>
        <TextInput
          label={words.file}
          description={words.fileHelp}
          maxLength={MAX_UPDATE_PATH_CHARS}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          {...text(file, setFile)}
        />
        <ErrorLine error={checking.error ?? (working === null ? refusalOf(problem) : null)} />
        <div className="row">
          <Submit
            variant={checked === null ? 'filled' : 'default'}
            obstacle={file.trim() === '' ? 'incomplete' : null}
            loading={checking.isPending || working !== null}
          >
            {words.check}
          </Submit>
        </div>
      </Form>
      {working !== null && said !== null && (
        <div className="stack" role="status">
          <p>{isEndless ? said : backups.progress({ step: said, share: working.percent / 100 })}</p>
          <Progress value={isEndless ? 100 : working.percent} animated={isEndless} aria-label={said} />
          <p className="quiet">{words.leave}</p>
        </div>
      )}
    </>
  );
}

const refusalOf = (problem: UpdateState['problem']): RequestError | null =>
  problem && new RequestError('update_refused', { status: 422, facts: { args: { problem } } });

function Found({ state, checked, put }: Props & { checked: CheckedUpdate }) {
  const { updates: words, system } = useWords('settings');
  const { language } = useLanguage();
  const [isAsked, setIsAsked] = useState(false);
  return (
    <Panel title={words.found({ version: checked.version })}>
      <div className="stack">
        {checked.channel === 'preview' && <Note>{words.preview}</Note>}
        <Facts>
          <TimeFact term={words.made} at={checked.created_at} />
          <Fact term={system.size}>{megabytes(checked.bytes, language)}</Fact>
          <Fact term={system.database}>{checked.changes_database ? words.changed : words.unchanged}</Fact>
          <Fact term={words.signedBy}>
            <code>{checked.signed_by}</code>
          </Fact>
        </Facts>
        <div className="row">
          <Button onClick={() => setIsAsked(true)}>{words.install}</Button>
        </div>
      </div>
      {isAsked && <Confirm state={state} checked={checked} put={put} onClose={() => setIsAsked(false)} />}
    </Panel>
  );
}

function Confirm({
  state: { version, engine, by_package: byPackage },
  checked,
  put,
  onClose,
}: Props & { checked: CheckedUpdate; onClose: () => void }) {
  const { updates: words } = useWords('settings');
  const [passphrase, setPassphrase] = useState('');
  const [isSaved, setIsSaved] = useState(false);
  const asksForBackup = engine === 'postgres' && checked.changes_database;
  const installing = useMutation({
    mutationFn: () =>
      call(updateRoutes.install, {
        body: { file: checked.file, version: checked.version, passphrase, database_is_saved: isSaved },
      }),
    onSuccess(next) {
      put(next);
      onClose();
    },
    onError: () => setPassphrase(''),
  });
  return (
    <FormDialog
      title={words.installTitle({ version: checked.version })}
      submit={words.install}
      isReady={passphrase !== '' && (isSaved || !asksForBackup)}
      sending={installing}
      onClose={onClose}
    >
      <p>{byPackage ? words.effects.package : words.effects.restart}</p>
      {!byPackage && <p>{words.effects[engine]({ version })}</p>}
      {asksForBackup && (
        <Checkbox label={words.saved} description={words.savedHelp} {...tick(isSaved, setIsSaved)} />
      )}
      <CurrentPassphrase label={words.passphrase} value={passphrase} onChange={setPassphrase} isFirst />
    </FormDialog>
  );
}

function Waiting({ state, put, version }: Props & { version: string }) {
  const { updates: words } = useWords('settings');
  const { by_package: byPackage, restarts_itself: restarts } = state;
  const withdrawing = useMutation({ mutationFn: () => call(updateRoutes.withdraw), onSuccess: put });
  return (
    <div className="stack">
      <Note tone="action" icon="clock" role="status">
        {byPackage ? words.replaced({ version }) : (restarts ? words.restarting : words.restart)({ version })}
      </Note>
      <ErrorLine error={withdrawing.error} />
      {!restarts && !byPackage && (
        <div className="row">
          <Button variant="default" loading={withdrawing.isPending} onClick={() => withdrawing.mutate()}>
            {words.withdraw}
          </Button>
        </div>
      )}
    </div>
  );
}

function Undone({ last }: { last: NonNullable<UpdateState['last']> }) {
  const { updates: words } = useWords('settings');
  const { conditions } = useWords('health');
  return (
    <div className="stack">
      <Note role="status">{conditions.update_rolled_back.what({ why: last.why ?? 'other' })}</Note>
      <p>{last.data_restored ? words.restored : words.kept}</p>
      {last.said === '' ? (
        <p>{words.again}</p>
      ) : (
        <>
          <p>{words.report}</p>
          <div className="row">
            <code className="settings__command">{last.said}</code>
          </div>
        </>
      )}
    </div>
  );
}
