import { useEffect, useState } from 'react';

/** Until then, waiting is not worth a word: a skeleton that flashes is worse than none. */
const LATE_MS = 300;

/** True once something has been waited for longer than is comfortable. */
export function useLate(waiting: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!waiting) return undefined;
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [waiting]);
  return waiting && late;
}
