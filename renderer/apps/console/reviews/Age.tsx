import { useEffect, useState } from 'react';
import { AGE_LATE_MS, AGE_LOOK_MS } from '../../../../server/contract/console/reviews.ts';
import type { Language } from '../../../i18n/language.ts';
import { Status } from '../shared/states.tsx';
import { serverNowMs } from '../shared/time/server-time.ts';
import { useLanguage, useWords } from '../shared/words.tsx';

const TICK_MS = 15_000;
const MINUTE_MS = 60_000;

export function Duration({ ms }: { ms: number }) {
  return <>{durationInWords(ms, useLanguage().language)}</>;
}

/** Minutes until `at` (ISO 8601), begun ones too. */
export function Left({ at }: { at: string }) {
  return <Duration ms={Math.ceil((Date.parse(at) - useNow()) / MINUTE_MS) * MINUTE_MS} />;
}

/** How long a case has waited; colour and word show when that is too long. */
export function Age({ since }: { since: string }) {
  const words = useWords('reviews');
  const waitedMs = useNow() - Date.parse(since);
  if (waitedMs < AGE_LOOK_MS) {
    return (
      <Status tone="quiet" icon="clock">
        <Duration ms={waitedMs} />
      </Status>
    );
  }
  const isLate = waitedMs >= AGE_LATE_MS;
  return (
    <Status tone={isLate ? 'refused' : 'look'} icon="clock">
      <Duration ms={waitedMs} /> · {isLate ? words.age.late : words.age.long}
    </Status>
  );
}

/** The service's time in epoch milliseconds, updated often enough for minutes. */
function useNow(): number {
  const [nowMs, setNowMs] = useState(serverNowMs);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(serverNowMs()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}

const HOUR_MINUTES = 60;
const DAY_HOURS = 24;

/**
 * How long something took or has waited: "12 min", "3 hr 5 min", "2 days 4 hr"; never less than a minute.
 * @param ms milliseconds
 */
export function durationInWords(ms: number, language: Language): string {
  const minutes = Math.max(1, Math.floor(ms / MINUTE_MS));
  const hours = Math.floor(minutes / HOUR_MINUTES);
  const days = Math.floor(hours / DAY_HOURS);
  const parts =
    days > 0
      ? ([
          ['day', days],
          ['hour', hours % DAY_HOURS],
        ] as const)
      : ([
          ['hour', hours],
          ['minute', minutes % HOUR_MINUTES],
        ] as const);
  return parts
    .filter(([, amount]) => amount > 0)
    .map(([unit, amount]) =>
      new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(amount),
    )
    .join(' ');
}
