import { useEffect, useState } from 'react';
import {
  AGE_LATE_MS,
  AGE_LOOK_MS,
  GUEST_LATE_MS,
  GUEST_LOOK_MS,
  type ReviewItem,
} from '../../../../server/contract/console/reviews.ts';
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

/** How long a case has waited, and where its guest stands; colour and word show when that is too long. */
export function Age({ item }: { item: Pick<ReviewItem, 'opened_at' | 'guest_waiting'> }) {
  const words = useWords('reviews');
  const { language } = useLanguage();
  const waitedMs = useNow() - Date.parse(item.opened_at);
  const time = durationInWords(waitedMs, language);
  const guest = item.guest_waiting;
  const [lookMs, lateMs] = guest === null ? [AGE_LOOK_MS, AGE_LATE_MS] : [GUEST_LOOK_MS, GUEST_LATE_MS];
  const isLate = waitedMs >= lateMs;
  return (
    <Status
      tone={isLate ? 'refused' : waitedMs >= lookMs ? 'look' : 'quiet'}
      icon={guest === null ? 'clock' : 'door'}
    >
      {guest === null
        ? time
        : guest.kiosk_name === null
          ? words.age.atDoor({ time })
          : words.age.atKiosk({ time, kiosk: guest.kiosk_name })}
      {waitedMs >= lookMs && ` · ${isLate ? words.age.late : words.age.long}`}
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
