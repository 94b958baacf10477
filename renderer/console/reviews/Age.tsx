import { useEffect, useState } from 'react';
import { AGE_LATE_MS, AGE_LOOK_MS } from '../../../server/contract/console/reviews.ts';
import { REVIEWS_WORDS } from '../../i18n/console/reviews/index.ts';
import { leftInWords } from '../shared/Countdown.tsx';
import { Status } from '../shared/states.tsx';
import { useLanguage, useWords } from '../shared/words.tsx';

const TICK_MS = 30_000;
const MINUTE_MS = 60_000;

/** Whole minutes: seconds only flicker. */
const roughly = (ms: number): number => Math.max(MINUTE_MS, ms - (ms % MINUTE_MS));

export function Duration({ ms }: { ms: number }) {
  const { language } = useLanguage();
  return <>{leftInWords(roughly(ms), language)}</>;
}

/** How long a case has waited: colour and word say when that is too long. */
export function Age({ since }: { since: string }) {
  const words = useWords(REVIEWS_WORDS);
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const waitedMs = nowMs - Date.parse(since);
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
