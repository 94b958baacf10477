import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { door } from '../../../../server/contract/routes/console/door.ts';
import type { DoorOpenRun } from '../../../../server/contract/console/door.ts';
import { ConfirmDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { useScopedCall } from '../shared/client/session.ts';
import { Time } from '../shared/time/Time.tsx';
import { useWords } from '../shared/words.tsx';
import { RunLink } from './RunList.tsx';
import { placeOf } from './results.ts';

type Asked = { run: DoorOpenRun; what: 'release' | 'cancel' };

/** Runs in progress, and the actions for one that is stuck. */
export function UnderWay({ runs }: { runs: readonly DoorOpenRun[] }) {
  const words = useWords('door');
  const outcomes = useWords('outcomes');
  const { underWay } = words;
  const call = useScopedCall();
  const client = useQueryClient();
  const [asked, setAsked] = useState<Asked | null>(null);
  return (
    <section className="panel" aria-labelledby="door-under-way">
      <h2 id="door-under-way">{underWay.title}</h2>
      {runs.length === 0 ? (
        <p className="quiet">{underWay.none}</p>
      ) : (
        <ul className="door-list">
          {runs.map((run) => (
            <li key={run.session_id} className="door-list__row">
              <div>
                <RunLink run={run} /> · <strong>{placeOf(run, outcomes)}</strong>
                <p className="quiet">
                  {run.asks_staff ? underWay.steps.ask_staff : underWay.steps[run.step]} ·{' '}
                  {underWay.attempts({ left: run.attempts_left })} · <Time at={run.opened_at} />
                </p>
              </div>
              <div
                className="row"
                role="group"
                aria-label={underWay.actionsOf({ where: placeOf(run, outcomes) })}
              >
                <Button
                  size="compact-sm"
                  variant="default"
                  disabled={run.step === 'checking'}
                  onClick={() => setAsked({ run, what: 'release' })}
                >
                  {underWay.release}
                </Button>
                <Button
                  size="compact-sm"
                  variant="default"
                  c={run.step === 'checking' ? undefined : 'var(--refused)'}
                  disabled={run.step === 'checking'}
                  onClick={() => setAsked({ run, what: 'cancel' })}
                >
                  {underWay.cancel}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {asked !== null && (
        <ConfirmDialog
          title={underWay[`${asked.what}Title`]}
          confirm={underWay[asked.what]}
          destructive={asked.what === 'cancel'}
          withReason
          {...(asked.what === 'cancel' && { leave: underWay.keep })}
          act={async (reason) => {
            await call(door[asked.what], { params: { session_id: asked.run.session_id }, body: { reason } });
            await client.invalidateQueries({ queryKey: ['door'] });
          }}
          onClose={() => setAsked(null)}
        >
          {underWay[`${asked.what}Text`]}
        </ConfirmDialog>
      )}
    </section>
  );
}
