import { useState } from 'react';
import { SECTIONS } from './Introduction.tsx';
import { messages } from './messages.ts';
import type { Operation } from './reference.ts';
import { useCurrentSection } from './use-current-section.ts';

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
