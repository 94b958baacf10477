import type { DoorRun } from '../../../../server/contract/console/door.ts';
import { Status } from '../shared/states.tsx';
import { Time } from '../shared/Time.tsx';
import { useLanguage, useWords } from '../shared/words.tsx';
import { RunLink } from './RunLink.tsx';
import { headlineOf, placeOf, reasonsInWords, RESULT_LOOKS } from './results.ts';

/** Those before the newest. */
export function RunList({ runs }: { runs: readonly DoorRun[] }) {
  const words = useWords('door');
  const { language } = useLanguage();
  return (
    <ul className="door-list panel">
      {runs.map((run) => {
        const { tone, icon } = RESULT_LOOKS[run.result];
        const place = placeOf(run, words);
        return (
          <li key={`${run.session_id} ${run.at}`} className="door-list__row">
            <div>
              <Status tone={tone} icon={icon}>
                {words.results[run.result]}
              </Status>
              <p>
                <RunLink run={run} />
              </p>
              <p className="quiet">
                {run.earlier === null ? reasonsInWords(run.reasons, words) : headlineOf(run, words, language)}
              </p>
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
