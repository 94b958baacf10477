import { Link } from '@tanstack/react-router';
import type { DoorRun, DoorOpenRun } from '../../../../server/contract/console/door.ts';
import { Status } from '../shared/states.tsx';
import { Time } from '../shared/time/Time.tsx';
import { useLanguage, useReason, useWords } from '../shared/words.tsx';
import { Icon } from '../shared/icons.tsx';
import { useSearch } from '../shared/lists/search.ts';
import { guestNumber } from '../../../../server/contract/guest-number.ts';
import { type OnAsk, RunActions } from './RunActions.tsx';
import { headlineOf, lookOf, placeOf } from './results.ts';

/** Results before the newest. */
export function RunList({ runs, onAsk }: { runs: readonly DoorRun[]; onAsk: OnAsk }) {
  const words = useWords('door');
  const outcomes = useWords('outcomes');
  const reasonOf = useReason();
  const { language } = useLanguage();
  return (
    <ul className="door-list panel">
      {runs.map((run) => {
        const { tone, icon } = lookOf(run);
        const place = placeOf(run, outcomes);
        const details =
          run.earlier === null && run.let_in === null ? run.reasons.map(reasonOf).join(' · ') : '';
        return (
          <li key={`${run.session_id} ${run.at}`} className="door-list__row">
            <div>
              <Status tone={tone} icon={icon}>
                {headlineOf(run, words, outcomes, language)}
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

/** The newest result, readable from two metres away. */
export function LatestResult({ run, onAsk }: { run: DoorRun; onAsk: OnAsk }) {
  const words = useWords('door');
  const outcomes = useWords('outcomes');
  const reasonOf = useReason();
  const { language } = useLanguage();
  const { tone, icon } = lookOf(run);
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

/**
 * The guest, as a link to the run, which opens beside the door. A guest without a name or a ticket is a walk-up. The
 * number is the one on the kiosk's screen.
 */
export function RunLink({ run: { session_id, guest } }: { run: Pick<DoorRun, 'session_id' | 'guest'> }) {
  const words = useWords('door');
  const search = useSearch();
  return (
    <>
      <Link to="/door" search={{ ...search, open: session_id }} className="text-link">
        {guest ?? words.walkUpGuest}
      </Link>{' '}
      <span className="guest-number">{words.number({ number: guestNumber(session_id) })}</span>
    </>
  );
}

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
