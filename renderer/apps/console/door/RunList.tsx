import type { DoorRun } from '../../../../server/contract/console/door.ts';
import { Status } from '../shared/states.tsx';
import { Time } from '../shared/Time.tsx';
import { useLanguage, useReason, useWords } from '../shared/words.tsx';
import { type OnAsk, RunActions } from './RunActions.tsx';
import { RunLink } from './RunLink.tsx';
import { headlineOf, OUTCOMES, placeOf } from './results.ts';

/** Results before the newest. */
export function RunList({ runs, onAsk }: { runs: readonly DoorRun[]; onAsk: OnAsk }) {
  const words = useWords('door');
  const outcomes = useWords('outcomes');
  const reasonOf = useReason();
  const { language } = useLanguage();
  return (
    <ul className="door-list panel">
      {runs.map((run) => {
        const { name, tone, icon } = OUTCOMES[run.result];
        const place = placeOf(run, outcomes);
        const details =
          run.earlier === null
            ? run.reasons.map(reasonOf).join(' · ')
            : headlineOf(run, words, outcomes, language);
        return (
          <li key={`${run.session_id} ${run.at}`} className="door-list__row">
            <div>
              <Status tone={tone} icon={icon}>
                {outcomes.names[name]}
              </Status>
              <p>
                <RunLink run={run} />
              </p>
              {details !== '' && <p className="quiet">{details}</p>}
              <RunActions run={run} onAsk={onAsk} />
            </div>
            <div className="door-list__end quiet">
              <Time at={run.at} />
              <span>{place}</span>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
