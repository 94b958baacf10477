import { Button, Progress } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { backups as backupsRoutes } from '../../../../../server/contract/routes/console/settings.ts';
import type { BackupState } from '../../../../../server/contract/console/settings.ts';
import { call } from '../../shared/client/api.ts';
import { useCodeText } from '../../shared/client/error-text.ts';
import { Icon } from '../../shared/icons.tsx';
import { EmptyState, ErrorLine } from '../../shared/states.tsx';
import { healthQuery } from '../../shared/client/queries.ts';
import { Facts, TimeFact } from '../../shared/lists/DetailDrawer.tsx';
import { megabytes } from '../../shared/megabytes.ts';
import { Time } from '../../shared/time/Time.tsx';
import { useLanguage, useWords } from '../../shared/words.tsx';
import { BackupSchedule } from './BackupSchedule.tsx';
import { RecoveryPhrase } from './RecoveryPhrase.tsx';
import { RestoreBackup } from './RestoreBackup.tsx';
import { Panel, WithSetting } from '../Section.tsx';

/** Its progress is not announced. */
const WATCH_MS = 500;

export function Backups() {
  return (
    <WithSetting
      name={['backups']}
      read={(signal) => call(backupsRoutes.read, { signal })}
      refetchMs={({ running, restoring }) => (running === null && restoring === null ? false : WATCH_MS)}
    >
      {(state, put) =>
        state.engine === 'postgres' ? (
          <OnPostgres />
        ) : (
          <>
            <Files state={state} put={put} />
            <RecoveryPhrase state={state} put={put} />
            <BackupSchedule state={state} put={put} />
            <RestoreBackup state={state} put={put} />
          </>
        )
      }
    </WithSetting>
  );
}

function OnPostgres() {
  const { backups: words } = useWords('settings');
  return (
    <Panel title={words.title}>
      <p>{useCodeText()('on_postgres')}</p>
    </Panel>
  );
}

function Files({ state, put }: { state: BackupState; put: (next: BackupState) => void }) {
  const { backups: words } = useWords('settings');
  const { language } = useLanguage();
  const reasonOf = useCodeText();
  const beginning = useMutation({ mutationFn: () => call(backupsRoutes.begin), onSuccess: put });
  const { running, failure, files } = state;
  return (
    <Panel title={words.title} text={words.text}>
      <div className="stack form">
        <LastBackup />
        <ErrorLine error={beginning.error} />
        {failure !== null && running === null && (
          <p className="error-line" role="alert">
            <Icon name="look" />
            <span>{words.failed({ why: reasonOf(failure) })}</span>
          </p>
        )}
        <div className="row">
          <Button loading={beginning.isPending || running !== null} onClick={() => beginning.mutate()}>
            {words.begin}
          </Button>
        </div>
        {running !== null && (
          <div role="status">
            <p>{words.progress({ step: words.running, share: running.percent / 100 })}</p>
            <Progress value={running.percent} aria-label={words.running} />
          </div>
        )}
      </div>
      {files.length === 0 ? (
        <EmptyState icon="download" title={words.none} text={words.noneText} />
      ) : (
        <ul className="settings__files" aria-label={words.files}>
          {files.map(({ name, bytes, made_at }) => (
            <li key={name}>
              <code>{name}</code>
              <span className="quiet">
                {`${megabytes(bytes, language)} · `}
                <Time at={made_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** Its age, however it was made. The health is known since the frame was drawn. */
function LastBackup() {
  const { lastBackup } = useWords('health');
  const { data } = useQuery(healthQuery);
  return (
    <Facts>
      <TimeFact term={lastBackup} at={data?.last_backup_at ?? null} />
    </Facts>
  );
}
