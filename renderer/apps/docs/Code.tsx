import { useRef, useState } from 'react';
import { messages } from './messages.ts';

const STATES = { idle: '', copied: messages.copy.copied, selected: messages.copy.selected };

/** Code to copy. Over plain http, where pages can’t write to the clipboard, the button selects it instead. */
export function CodeSample({ code, label }: { code: string; label: string }) {
  const [state, setState] = useState<keyof typeof STATES>('idle');
  const sample = useRef<HTMLElement>(null);

  const select = () => {
    if (sample.current !== null) getSelection()?.selectAllChildren(sample.current);
    setState('selected');
  };
  const copy = () => {
    // Missing on pages that are neither secure nor on this machine, despite its type.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    const copying = clipboard?.writeText(code).then(() => setState('copied'), select);
    if (!copying) select();
  };

  return (
    <div className="sample">
      <div className="sample__head">
        <span className="sample__label">{label}</span>
        <span className="sample__state" role="status">
          {STATES[state]}
        </span>
        <button type="button" className="small-button" onClick={copy}>
          {messages.copy.label}
          <span className="visually-hidden"> {label}</span>
        </button>
      </div>
      <pre className="code" tabIndex={0} role="region" aria-label={label}>
        <code ref={sample}>{code}</code>
      </pre>
    </div>
  );
}

/** A sentence that contains `code`. */
export function Words({ children }: { children: string }) {
  return children.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
