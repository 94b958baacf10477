import { useEffect, useState } from 'react';

/** A section counts as current from this line in the upper part of the window. */
const READING_LINE = '-20% 0px -79% 0px';

/** The ID of the current section; null above the first. */
export function useCurrentSection(): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const entered = entries.find((entry) => entry.isIntersecting);
        if (entered) setCurrent(entered.target.id);
      },
      { rootMargin: READING_LINE },
    );
    for (const section of document.querySelectorAll('main section[id]')) observer.observe(section);
    return () => observer.disconnect();
  }, []);
  return current;
}
