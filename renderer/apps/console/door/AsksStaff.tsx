import type { DoorOpenRun } from '../../../../server/contract/console/door.ts';
import { Icon } from '../shared/icons.tsx';
import { Time } from '../shared/time/Time.tsx';
import { useWords } from '../shared/words.tsx';
import { type OnAsk, RunActions } from './RunActions.tsx';
import { RunLink } from './RunList.tsx';
import { placeOf } from './results.ts';

/** A guest who chose "Ask staff" at a kiosk and waits there, as large as a result. */
export function AsksStaff({ run, onAsk }: { run: DoorOpenRun; onAsk: OnAsk }) {
  const words = useWords('door');
  const outcomes = useWords('outcomes');
  return (
    <div className="latest" data-tone="look">
      <Icon name="account" size={72} />
      <div className="latest__words">
        <div role="status">
          <p className="latest__headline">{words.asksStaff}</p>
          <p className="latest__where">
            <RunLink run={run} /> · {placeOf(run, outcomes)} · <Time at={run.opened_at} />
          </p>
        </div>
        <RunActions run={run} onAsk={onAsk} isLarge />
      </div>
    </div>
  );
}
