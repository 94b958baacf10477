import { maintenance as maintenanceRoutes } from '../../../../../server/contract/routes/console/maintenance.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { MaintenanceState, MaintenanceWindow } from '../../../../../server/contract/console/settings.ts';
import { call } from '../../shared/client/api.ts';
import { ConfirmDialog } from '../../shared/dialogs/ConfirmDialog.tsx';
import { useNowMs, LeftSentence } from '../../shared/time/Countdown.tsx';
import { Status } from '../../shared/states.tsx';
import { Time } from '../../shared/time/Time.tsx';
import { useWords } from '../../shared/words.tsx';
import { Panel } from '../Section.tsx';

/** Windows in progress and to come, with a live countdown to the start or end of each. */
export function PlannedMaintenance({
  windows,
  put,
}: {
  windows: readonly MaintenanceWindow[];
  put: (next: MaintenanceState) => void;
}) {
  const { maintenance: words } = useWords('settings');
  const [asked, setAsked] = useState<MaintenanceWindow | null>(null);
  const nowMs = useNowMs();
  const remaining = windows.filter((window) => Date.parse(window.ends_at) > nowMs);
  return (
    <Panel title={words.planned}>
      {remaining.length === 0 && <p className="quiet">{words.none}</p>}
      <ul className="settings__windows">
        {remaining.map((window) => {
          const isRunning = Date.parse(window.starts_at) <= nowMs;
          return (
            <li key={window.window_id}>
              <div>
                <div>
                  <Time at={window.starts_at} exact /> – <Time at={window.ends_at} exact />{' '}
                  {isRunning ? (
                    <Status tone="look" icon="wrench">
                      <LeftSentence words={words.endsIn} at={window.ends_at} />
                    </Status>
                  ) : (
                    <span className="quiet">
                      <LeftSentence words={words.startsIn} at={window.starts_at} />
                    </span>
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
          confirm={words.cancelIt}
          leave={words.keep}
          destructive
          act={async () =>
            put(await call(maintenanceRoutes.cancel, { params: { window_id: asked.window_id } }))
          }
          onClose={() => setAsked(null)}
        >
          {words.cancelText}
        </ConfirmDialog>
      )}
    </Panel>
  );
}
