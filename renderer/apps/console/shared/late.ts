import { useEffect, useState } from 'react';

/** A shorter wait shows nothing, because a flashing skeleton is worse than none. */
const LATE_MS = 300;

/** True once something takes noticeably long. */
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
