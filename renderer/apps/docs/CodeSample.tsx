import { useRef, useState } from 'react';

const COPY_WORDS = { idle: '', copied: 'Copied', selected: 'Selected: copy it with your keyboard' } as const;

/** Code to take along. Where a page may not write to the clipboard (plain http), it is selected instead. */
export function CodeSample({ code, label }: { code: string; label: string }) {
  const [state, setState] = useState<keyof typeof COPY_WORDS>('idle');
  const sample = useRef<HTMLElement>(null);

  const select = () => {
    if (sample.current !== null) getSelection()?.selectAllChildren(sample.current);
    setState('selected');
  };
  const copy = () => {
    // Missing on pages that are neither secure nor on this machine, whatever its type says.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    if (clipboard === undefined) select();
    else clipboard.writeText(code).then(() => setState('copied'), select);
  };

  return (
    <div className="sample">
      <div className="sample__head">
        <span className="sample__label">{label}</span>
        <span className="sample__state" role="status">
          {COPY_WORDS[state]}
        </span>
        <button type="button" className="small-button" onClick={copy}>
          Copy<span className="visually-hidden"> {label}</span>
        </button>
      </div>
      <pre className="code" tabIndex={0} role="region" aria-label={label}>
        <code ref={sample}>{code}</code>
      </pre>
    </div>
  );
}
