import { Tooltip } from '@mantine/core';
import { useRef, useState, useSyncExternalStore } from 'react';
import { Sentence } from '../Sentence.tsx';
import { exactTime, isJustNow, nowFor, timeInWords, utcTime } from './time.ts';
import { serverNowMs } from './server-time.ts';
import { useCommonWords, useLanguage } from '../words.tsx';

const TICK_MS = 30_000;
const listeners = new Set<() => void>();
let nowMs = serverNowMs();
setInterval(() => {
  nowMs = serverNowMs();
  for (const listener of listeners) listener();
}, TICK_MS);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export type TimeProps = {
  at: string | null;
  /** Shows it to the second; `utc` with the time in UTC beside it, which a hover alone keeps from keyboards and phones. */
  exact?: boolean | 'utc';
};

/**
 * A time: relative within the hour, else in the venue's time zone; the exact and UTC times on hover, or one where they are the same.
 */
export function Time({ at, exact = false }: TimeProps) {
  const ticked = useSyncExternalStore(subscribe, () => nowMs);
  const { language } = useLanguage();
  const { time } = useCommonWords();
  const shown = useRef<HTMLTimeElement>(null);
  const [isPointedAt, setPointedAt] = useState(false);
  if (at === null) return <span className="quiet">{time.never}</span>;
  const now = nowFor(at, ticked, serverNowMs);
  const inUtc = () => time.utc({ time: utcTime(at, language) });
  // Where the venue's clock shows UTC, one time says both.
  const isUtc = () => exactTime(at, language) === utcTime(at, language);
  const short = isJustNow(at, now) ? time.justNow : timeInWords(at, now, language);
  return (
    <>
      <time
        ref={shown}
        dateTime={at}
        onMouseEnter={() => setPointedAt(true)}
        onMouseLeave={() => setPointedAt(false)}
      >
        {exact === false ? short : exact === 'utc' && isUtc() ? inUtc() : exactTime(at, language)}
      </time>
      {exact === 'utc' && !isUtc() && (
        <>
          {' '}
          <span className="quiet time-utc">({inUtc()})</span>
        </>
      )}
      {/* Tooltips that nobody sees would take most of a long table's time. */}
      {isPointedAt && (
        <Tooltip
          opened
          target={shown}
          label={isUtc() ? inUtc() : `${exactTime(at, language)} · ${inUtc()}`}
        />
      )}
    </>
  );
}

/** A sentence about a time, such as “Last used 5 minutes ago”. */
export function TimeSentence({ words, ...time }: TimeProps & { words: (args: { time: string }) => string }) {
  return (
    <Sentence words={(mark) => words({ time: mark })}>
      <Time {...time} />
    </Sentence>
  );
}
