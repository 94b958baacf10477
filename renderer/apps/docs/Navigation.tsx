import { useEffect, useState } from 'react';
import { SECTIONS } from './Introduction.tsx';
import { messages } from './messages.ts';
import type { Operation } from './reference/reference.ts';

/** The section that crosses this line, in the upper part of the window, is the current one. */
const READING_LINE = '-20% 0px -79% 0px';

/** The contents of the page: next to it on a wide screen, behind a button on a phone. */
export function Navigation({ operations }: { operations: readonly Operation[] }) {
  const [isOpen, setOpen] = useState(false);
  const current = useCurrentSection();
  const link = (id: string, children: React.ReactNode) => (
    <li key={id}>
      <a
        href={`#${id}`}
        aria-current={current === id ? 'location' : undefined}
        onClick={() => setOpen(false)}
      >
        {children}
      </a>
    </li>
  );
  return (
    <div
      className="side"
      data-open={isOpen}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setOpen(false);
      }}
    >
      <div className="side__head">
        <a className="brand" href="#top">
          Gatehouse <span>{messages.api}</span>
        </a>
        <button
          type="button"
          className="small-button side__toggle"
          aria-expanded={isOpen}
          aria-controls="contents"
          onClick={() => setOpen(!isOpen)}
        >
          {messages.contents}
        </button>
      </div>
      <nav id="contents" aria-label={messages.contents}>
        <p className="side__title">{messages.introduction}</p>
        <ul>{SECTIONS.map((id) => link(id, messages.sections[id]))}</ul>
        <p className="side__title">{messages.operations}</p>
        <ul>
          {operations.map(({ id, method, summary }) =>
            link(
              id,
              <>
                <span className="method method--small">{method}</span>
                <span>{summary}</span>
              </>,
            ),
          )}
        </ul>
      </nav>
    </div>
  );
}

/** The ID of the current section; null above the first. */
function useCurrentSection(): string | null {
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
