import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usage } from '../../../../server/contract/routes/console/usage.ts';
import type { UsageToday } from '../../../../server/contract/console/usage.ts';
import { reading } from '../shared/client/api.ts';
import { LeftSentence } from '../shared/time/Countdown.tsx';
import { Icon } from '../shared/icons.tsx';
import { type ScopeFilter, useScopeFilter } from '../shared/client/session.ts';
import { Stat, Unread } from '../shared/states.tsx';
import { clockTime } from '../shared/time/time.ts';
import { useLanguage, useWords } from '../shared/words.tsx';
import { useHasDraft } from '../shared/forms/use-form.ts';
import { CAP_DRAFT, ChangeCap } from './ChangeCap.tsx';

/** The last hour advances even without guests. */
const REFRESH_MS = 60_000;

export const todayOf = (scope: ScopeFilter) => reading(['usage-today', scope], usage.today, { query: scope });

/** Today’s use of the cap, with a forecast for the day. */
export function Today() {
  const words = useWords('usage');
  const { language } = useLanguage();
  const scope = useScopeFilter();
  const hasDraft = useHasDraft();
  const [changing, setChanging] = useState(() => hasDraft(CAP_DRAFT));
  const query = useQuery({ ...todayOf(scope), refetchInterval: REFRESH_MS });
  const { data } = query;
  if (data === undefined) return <Unread query={query} />;
  const number = new Intl.NumberFormat(language);
  const { counted, cap, forecast } = data;
  const isFull = counted >= cap;
  return (
    <section className="panel">
      <div className="usage-head">
        <h2>{words.today}</h2>
        <Button variant="default" onClick={() => setChanging(true)}>
          {words.changeCap}
        </Button>
      </div>
      <svg
        className="usage-meter"
        data-full={isFull}
        viewBox="0 0 100 1"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <rect width={cap === 0 ? 100 : Math.min(100, (counted / cap) * 100)} height="1" />
      </svg>
      <dl className="usage-stats">
        <Stat
          label={words.counted}
          value={number.format(counted)}
          hint={words.ofCap({ cap: number.format(cap) })}
        />
        <Stat
          label={words.left}
          value={number.format(Math.max(0, cap - counted))}
          hint={<LeftSentence words={words.newDay} at={data.ends_at} />}
        />
        <Stat
          label={words.pace}
          value={forecast.per_hour === null ? words.tooFew : number.format(forecast.per_hour)}
          hint={words.lastHour}
        />
      </dl>
      <Forecast today={data} />
      {changing && <ChangeCap today={data} onClose={() => setChanging(false)} />}
    </section>
  );
}

function Forecast({ today: { counted, cap, forecast } }: { today: UsageToday }) {
  const words = useWords('usage');
  const { language } = useLanguage();
  if (counted >= cap) return <Note tone="refused">{words.reached}</Note>;
  if (forecast.by_midnight === null) return <p className="quiet usage-forecast">{words.noForecast}</p>;
  if (forecast.cap_reached_at !== null) {
    return <Note tone="look">{words.reachedAt({ time: clockTime(forecast.cap_reached_at, language) })}</Note>;
  }
  const number = new Intl.NumberFormat(language);
  return <Note tone="passed">{words.notReached({ count: number.format(forecast.by_midnight) })}</Note>;
}

function Note({ tone, children }: { tone: 'refused' | 'look' | 'passed'; children: string }) {
  return (
    <p className="note usage-forecast" data-tone={tone} role="status">
      <Icon name={tone === 'passed' ? 'check' : 'look'} />
      <span>{children}</span>
    </p>
  );
}
