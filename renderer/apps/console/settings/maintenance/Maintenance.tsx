import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { maintenance as maintenanceRoutes } from '../../../../../server/contract/routes/console/maintenance.ts';
import type { MaintenanceState } from '../../../../../server/contract/console/settings.ts';
import { Sentence } from '../../shared/Sentence.tsx';
import { call } from '../../shared/client/api.ts';
import { ConfirmDialog } from '../../shared/dialogs/ConfirmDialog.tsx';
import { ErrorLine, Status, Unread } from '../../shared/states.tsx';
import { Countdown } from '../../shared/time/Countdown.tsx';
import { Time } from '../../shared/time/Time.tsx';
import { useWords } from '../../shared/words.tsx';
import { maintenanceQuery } from '../../shared/client/queries.ts';
import { PlanMaintenance } from './PlanMaintenance.tsx';
import { PlannedMaintenance } from './PlannedMaintenance.tsx';
import { Panel } from '../Section.tsx';

export function Maintenance() {
  const client = useQueryClient();
  const reading = useQuery(maintenanceQuery);
  const put = (next: MaintenanceState) => {
    client.setQueryData(maintenanceQuery.queryKey, next);
  };
  if (reading.data === undefined) return <Unread query={reading} />;
  return (
    <>
      <Now state={reading.data} put={put} />
      <PlanMaintenance put={put} />
      <PlannedMaintenance windows={reading.data.planned} put={put} />
    </>
  );
}

function Now({ state, put }: { state: MaintenanceState; put: (next: MaintenanceState) => void }) {
  const { maintenance: words } = useWords('settings');
  const [asked, setAsked] = useState(false);
  const stopping = useMutation({
    mutationFn: () => call(maintenanceRoutes.switch, { body: { on: false } }),
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
                <Sentence words={(time, left) => words.onUntil({ time, left })}>
                  <Time at={state.until} exact />
                  <Countdown at={state.until} />
                </Sentence>
              )}
            </Status>
          ) : (
            <Status tone="passed">{words.off}</Status>
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
          act={async () => put(await call(maintenanceRoutes.switch, { body: { on: true } }))}
          onClose={() => setAsked(false)}
        >
          {words.startText}
        </ConfirmDialog>
      )}
    </Panel>
  );
}
