import { useEffect, useState } from 'react';
import type { Language } from '../../../../i18n/language.ts';
import { Sentence } from '../Sentence.tsx';
import { useLanguage } from '../words.tsx';
import { serverNowMs } from './server-time.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/**
 * The remaining time in its two largest units, rounded to the smaller one: "7 days", "6 days 23 hr", "59 min 30 sec"; a whole day is
 * "24 hr", as it is chosen; "0 sec" only at the end.
 * @param leftMs milliseconds
 */
export function leftInWords(leftMs: number, language: Language): string {
  const given = Number.isFinite(leftMs) ? Math.max(0, leftMs) : 0;
  const left =
    given > DAY_MS
      ? rounded(given, HOUR_MS)
      : given >= HOUR_MS - SECOND_MS
        ? rounded(given, MINUTE_MS)
        : Math.ceil(given / SECOND_MS) * SECOND_MS;
  const days = left > DAY_MS ? Math.floor(left / DAY_MS) : 0;
  const rest = left - days * DAY_MS;
  const units = [
    ['day', days],
    ['hour', Math.floor(rest / HOUR_MS)],
    ['minute', Math.floor((rest % HOUR_MS) / MINUTE_MS)],
    ['second', Math.floor((rest % MINUTE_MS) / SECOND_MS)],
  ] as const;
  const first = units.findIndex(([, amount]) => amount > 0);
  const shown = first < 0 ? units.slice(-1) : units.slice(first, first + 2);
  return shown
    .filter(([, amount], place) => place === 0 || amount > 0)
    .map(([unit, amount]) =>
      new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(amount),
    )
    .join(' ');
}

const rounded = (ms: number, unitMs: number): number => Math.round(ms / unitMs) * unitMs;

/** The service's time in epoch milliseconds, updated every second. */
export function useNowMs(): number {
  const [nowMs, setNowMs] = useState(serverNowMs);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(serverNowMs()), SECOND_MS);
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

/** A sentence about the time left until `at`. */
export const LeftSentence = ({ words, at }: { words: (args: { left: string }) => string; at: string }) => (
  <Sentence words={(mark) => words({ left: mark })}>
    <Countdown at={at} />
  </Sentence>
);
