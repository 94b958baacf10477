import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { CopyButton } from '../shared/copy.tsx';
import { Icon } from '../shared/icons.tsx';
import { useWords } from '../shared/words.tsx';
import './second-factor.css';

/** Recovery codes, never shown again. Continues once the operator confirms that they are stored. */
export function CodesOnce({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const words = useWords('second-factor');
  const [stored, setStored] = useState(false);
  return (
    <div className="stack">
      <p className="note" data-tone="look" role="status">
        <Icon name="look" />
        <span>{words.codesWarning}</span>
      </p>
      <div className="second-factor__codes">
        <ol aria-label={words.codesTitle}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <CopyButton value={codes.join('\n')} label={words.copyCodes} />
      </div>
      <Checkbox
        label={words.stored}
        checked={stored}
        onChange={({ currentTarget }) => setStored(currentTarget.checked)}
      />
      <div className="dialog-actions">
        <Button disabled={!stored} onClick={onDone}>
          {words.done}
        </Button>
      </div>
    </div>
  );
}
