import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MaintenanceState, MaintenanceWindow } from '../../../../server/contract/console/settings.ts';
import { send } from '../shared/api.ts';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';
import { ErrorLine, ErrorState, Status } from '../shared/states.tsx';
import { Time } from '../shared/Time.tsx';
import { useWords } from '../shared/words.tsx';
import { maintenanceQuery } from '../shared/maintenance.ts';
import { Panel } from './Section.tsx';

export function Maintenance() {
  const client = useQueryClient();
  const reading = useQuery(maintenanceQuery);
  const put = (next: MaintenanceState) => {
    client.setQueryData(maintenanceQuery.queryKey, next);
  };
  if (reading.data === undefined) {
    return reading.isError ? <ErrorState error={reading.error} retry={() => void reading.refetch()} /> : null;
  }
  return (
    <>
      <Now state={reading.data} put={put} />
      <Plan put={put} />
      <Planned windows={reading.data.planned} put={put} />
    </>
  );
}

type Put = { put: (next: MaintenanceState) => void };

function Now({ state, put }: { state: MaintenanceState } & Put) {
  const { maintenance: words } = useWords('settings');
  const [asked, setAsked] = useState(false);
  const stopping = useMutation({
    mutationFn: () => send<MaintenanceState>('PUT', '/maintenance/now', { on: false }),
    onSuccess: put,
  });
  return (
    <Panel title={words.title} text={words.text}>
      <div className="stack form">
        <div className="row">
          {state.is_on ? (
            <Status tone="look" icon="wrench">
              {state.until === null ? (
                words.on
              ) : (
                <>
                  {words.onUntil} <Time at={state.until} exact />
                </>
              )}
            </Status>
          ) : (
            <Status tone="passed" icon="check">
              {words.off}
            </Status>
          )}
        </div>
        <ErrorLine error={stopping.error} />
        <div className="row">
          {state.switched_by_hand ? (
            <Button onClick={() => stopping.mutate()} loading={stopping.isPending}>
              {words.stop}
            </Button>
          ) : (
            <Button variant="default" onClick={() => setAsked(true)}>
              {words.start}
            </Button>
          )}
        </div>
      </div>
      {asked && (
        <ConfirmDialog
          title={words.startTitle}
          confirm={words.start}
          destructive
          act={async () => put(await send<MaintenanceState>('PUT', '/maintenance/now', { on: true }))}
          onClose={() => setAsked(false)}
        >
          {words.startText}
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function Plan({ put }: Put) {
  const { maintenance: words } = useWords('settings');
  const [begins, setBegins] = useState('');
  const [ends, setEnds] = useState('');
  const [notice, setNotice] = useState('');
  const planning = useMutation({
    mutationFn: () =>
      send<MaintenanceState>('POST', '/maintenance/windows', {
        starts_at: new Date(begins).toISOString(),
        ends_at: new Date(ends).toISOString(),
        notice,
      }),
    onSuccess: (next) => {
      setBegins('');
      setEnds('');
      setNotice('');
      put(next);
    },
  });
  return (
    <Panel title={words.planTitle} text={words.planText}>
      <form
        className="stack form"
        onSubmit={(event) => {
          event.preventDefault();
          planning.mutate();
        }}
      >
        <div className="settings__pair">
          <TextInput
            type="datetime-local"
            label={words.begins}
            value={begins}
            onChange={({ currentTarget }) => setBegins(currentTarget.value)}
          />
          <TextInput
            type="datetime-local"
            label={words.ends}
            value={ends}
            onChange={({ currentTarget }) => setEnds(currentTarget.value)}
          />
        </div>
        <TextInput
          label={words.notice}
          description={words.noticeHelp}
          maxLength={200}
          value={notice}
          onChange={({ currentTarget }) => setNotice(currentTarget.value)}
        />
        <ErrorLine error={planning.error} />
        <div className="row">
          <Button type="submit" disabled={begins === '' || ends === ''} loading={planning.isPending}>
            {words.plan}
          </Button>
        </div>
      </form>
    </Panel>
  );
}

function Planned({ windows, put }: { windows: readonly MaintenanceWindow[] } & Put) {
  const { maintenance: words } = useWords('settings');
  const [asked, setAsked] = useState<MaintenanceWindow | null>(null);
  const [now] = useState(() => Date.now());
  return (
    <Panel title={words.planned}>
      {windows.length === 0 && <p className="quiet">{words.none}</p>}
      <ul className="settings__windows">
        {windows.map((window) => {
          const isRunning = Date.parse(window.starts_at) <= now;
          return (
            <li key={window.window_id}>
              <div>
                <div>
                  <Time at={window.starts_at} exact /> – <Time at={window.ends_at} exact />{' '}
                  {isRunning && (
                    <Status tone="look" icon="wrench">
                      {words.running}
                    </Status>
                  )}
                </div>
                <div className="quiet">{window.notice}</div>
              </div>
              <Button variant="default" size="xs" onClick={() => setAsked(window)}>
                {isRunning ? words.end : words.cancel}
              </Button>
            </li>
          );
        })}
      </ul>
      {asked !== null && (
        <ConfirmDialog
          title={words.cancelTitle}
          confirm={words.cancel}
          destructive
          act={async () =>
            put(await send<MaintenanceState>('DELETE', `/maintenance/windows/${asked.window_id}`))
          }
          onClose={() => setAsked(null)}
        >
          {words.cancelText}
        </ConfirmDialog>
      )}
    </Panel>
  );
}
