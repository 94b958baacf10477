import { useEffect, useState } from 'react';
import type { Language } from '../../../../i18n/language.ts';
import { useLanguage } from '../words.tsx';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/**
 * The remaining time in its two largest units: "6 days 23 hr", "59 min 30 sec"; "0 sec" at the end.
 * @param leftMs milliseconds
 */
export function leftInWords(leftMs: number, language: Language): string {
  const left = Number.isFinite(leftMs) ? Math.max(0, leftMs) : 0;
  const units = [
    ['day', Math.floor(left / DAY_MS)],
    ['hour', Math.floor((left % DAY_MS) / HOUR_MS)],
    ['minute', Math.floor((left % HOUR_MS) / MINUTE_MS)],
    ['second', Math.floor((left % MINUTE_MS) / SECOND_MS)],
  ] as const;
  const first = units.findIndex(([, amount]) => amount > 0);
  const shown = first < 0 ? units.slice(-1) : units.slice(first, first + 2);
  return shown
    .map(([unit, amount]) =>
      new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(amount),
    )
    .join(' ');
}

/** The current time in epoch milliseconds, updated every second. */
export function useNowMs(): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}

/** Time left until `at` (ISO 8601), counting down. Screen readers don’t announce each second. */
export function Countdown({ at }: { at: string }) {
  const { language } = useLanguage();
  const nowMs = useNowMs();
  return (
    <span className="countdown" role="timer" aria-live="off">
      {leftInWords(Date.parse(at) - nowMs, language)}
    </span>
  );
}
