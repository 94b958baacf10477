import type { DoorRun } from '../../../../server/contract/console/door.ts';
import { Icon } from '../shared/icons.tsx';
import { Time } from '../shared/Time.tsx';
import { useLanguage, useReason, useWords } from '../shared/words.tsx';
import { type OnAsk, RunActions } from './RunActions.tsx';
import { RunLink } from './RunLink.tsx';
import { headlineOf, OUTCOMES, placeOf } from './results.ts';

/** The newest result, readable from two metres away. */
export function LatestResult({ run, onAsk }: { run: DoorRun; onAsk: OnAsk }) {
  const words = useWords('door');
  const outcomes = useWords('outcomes');
  const reasonOf = useReason();
  const { language } = useLanguage();
  const { tone, icon } = OUTCOMES[run.result];
  const place = placeOf(run, outcomes);
  const why = run.result === 'turned_away' ? run.reasons.map(reasonOf).join(' · ') : '';
  return (
    <div className="latest" data-tone={tone}>
      <Icon name={icon} size={72} />
      <div className="latest__words">
        <div role="status">
          <p className="latest__headline">{headlineOf(run, words, outcomes, language)}</p>
          {why !== '' && <p className="latest__why">{why}</p>}
          <p className="latest__where">
            <RunLink run={run} /> · {place !== '' && `${place} · `}
            <Time at={run.at} />
          </p>
        </div>
        <RunActions run={run} onAsk={onAsk} isLarge />
      </div>
    </div>
  );
}
