/** The clean-up on hold: why, both times, what it would remove, and the confirmation. */
import { Button } from '@mantine/core';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { cleanUp as cleanUpRoutes } from '../../../../server/contract/routes/console/maintenance.ts';
import type { CleanUpHold, CleanUpSettings } from '../../../../server/contract/console/clean-up.ts';
import { call } from '../shared/client/api.ts';
import { useChanges } from '../shared/client/changes.tsx';
import { healthQuery } from '../shared/client/queries.ts';
import { ConfirmDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { useCodeText } from '../shared/client/error-text.ts';
import { Fact, Facts, TimeFact } from '../shared/lists/DetailDrawer.tsx';
import { Status } from '../shared/states.tsx';
import { TimeSentence } from '../shared/time/Time.tsx';
import { useLanguage, useWords } from '../shared/words.tsx';
import { Panel, settingKey, WithSetting } from './Section.tsx';

/** Its progress is not announced. */
const RUNNING_MS = 2_000;

const readCleanUp = (signal: AbortSignal) => call(cleanUpRoutes.read, { signal });

export const cleanUpQuery = queryOptions({
  queryKey: settingKey('clean-up'),
  queryFn: ({ signal }) => readCleanUp(signal),
});

/** Renders nothing while clean-up runs as usual. */
export function CleanUp() {
  useChanges('health', 'settings/clean-up');
  useChanges('audit', 'settings/clean-up');
  return (
    <WithSetting
      name={['clean-up']}
      read={readCleanUp}
      refetchMs={({ hold }) => (hold !== null && hold.state !== 'waiting' ? RUNNING_MS : false)}
    >
      {({ hold }, put) => hold && <HoldPanel hold={hold} put={put} />}
    </WithSetting>
  );
}

function HoldPanel({ hold, put }: { hold: CleanUpHold; put: (next: CleanUpSettings) => void }) {
  const { cleanUp: words } = useWords('settings');
  const reasonOf = useCodeText();
  const { language } = useLanguage();
  const client = useQueryClient();
  const [asked, setAsked] = useState(false);
  const count = (n: number) => n.toLocaleString(language);
  const { due } = hold;
  const faces = words.ofTotal({ due: count(due.faces), total: count(due.faces_total) });
  const rows: [label: string, value: string][] = [
    [words.faces, faces],
    [words.caseFrames, count(due.case_frames)],
    [words.guestPhotos, count(due.guest_photos)],
    [words.abandonedRuns, count(due.abandoned_runs)],
    [words.testRuns, count(due.test_runs)],
    [words.webhookCalls, count(due.webhook_calls)],
  ];
  return (
    <Panel title={words.title} text={words.reasons[hold.reason]}>
      <div className="stack">
        <Facts>
          {hold.reason !== 'many_faces' && (
            <>
              <TimeFact term={words.clock} at={hold.clock} exact />
              <TimeFact term={words.lastSeen} at={hold.last_seen} exact />
            </>
          )}
        </Facts>
        <h3>{words.wouldDelete}</h3>
        <Facts>
          {rows.map(([label, value]) => (
            <Fact key={label} term={label}>
              {value}
            </Fact>
          ))}
        </Facts>
        {hold.failure !== null && (
          <p className="error-line">{words.failed({ why: reasonOf(hold.failure) })}</p>
        )}
        <div className="row">
          {hold.state === 'waiting' ? (
            <Button onClick={() => setAsked(true)}>{words.confirm}</Button>
          ) : (
            <Status tone="look" icon="clock">
              {hold.state === 'confirmed' ? words.confirmed : words.running}
            </Status>
          )}
        </div>
      </div>
      {asked && (
        <ConfirmDialog
          title={words.confirmTitle}
          confirm={words.confirmNow}
          destructive
          act={async () => {
            put(await call(cleanUpRoutes.confirm, { body: { hold_id: hold.hold_id } }));
            await client.invalidateQueries({ queryKey: healthQuery.queryKey });
          }}
          onClose={() => setAsked(false)}
        >
          {hold.reason !== 'many_faces' && (
            <p>
              <TimeSentence words={words.confirmClock} at={hold.clock} exact />
            </p>
          )}
          <p>{words.confirmFaces({ faces })}</p>
          <p>{words.confirmBackup}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
