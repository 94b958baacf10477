import { useEffect, useState } from 'react';
import { AGE_LATE_MS, AGE_LOOK_MS } from '../../../../server/contract/console/reviews.ts';
import { Status } from '../shared/states.tsx';
import { useLanguage, useWords } from '../shared/words.tsx';
import { durationInWords } from './duration.ts';

const TICK_MS = 15_000;

export function Duration({ ms }: { ms: number }) {
  return <>{durationInWords(ms, useLanguage().language)}</>;
}

/** Minutes until `at` (ISO 8601). */
export function Left({ at }: { at: string }) {
  return <Duration ms={Date.parse(at) - useNow()} />;
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

/** Epoch milliseconds, updated often enough for minutes. */
function useNow(): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
