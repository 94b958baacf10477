import type { Language } from '../../../i18n/language.ts';

const MINUTE_MS = 60_000;
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
