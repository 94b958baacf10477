import { Tooltip } from '@mantine/core';
import { useRef, useState, useSyncExternalStore } from 'react';
import { exactTime, isJustNow, timeInWords, utcTime } from './time.ts';
import { useCommonWords, useLanguage } from '../words.tsx';

const TICK_MS = 30_000;
const listeners = new Set<() => void>();
let nowMs = Date.now();
setInterval(() => {
  nowMs = Date.now();
  for (const listener of listeners) listener();
}, TICK_MS);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * A time: relative within the hour, else in the venue's time zone; the exact and UTC times on hover.
 */
export function Time({ at, exact = false }: { at: string | null; exact?: boolean }) {
  const now = useSyncExternalStore(subscribe, () => nowMs);
  const { language } = useLanguage();
  const { time } = useCommonWords();
  const shown = useRef<HTMLTimeElement>(null);
  const [isPointedAt, setPointedAt] = useState(false);
  if (at === null) return <span className="quiet">{time.never}</span>;
  const short = isJustNow(at, now) ? time.justNow : timeInWords(at, now, language);
  return (
    <>
      <time
        ref={shown}
        dateTime={at}
        onMouseEnter={() => setPointedAt(true)}
        onMouseLeave={() => setPointedAt(false)}
      >
        {exact ? exactTime(at, language) : short}
      </time>
      {/* Tooltips that nobody sees would take most of a long table's time. */}
      {isPointedAt && (
        <Tooltip
          opened
          target={shown}
          label={`${exactTime(at, language)} · ${time.utc({ time: utcTime(at, language) })}`}
        />
      )}
    </>
  );
}
