/** The hand-off's link for those who cannot scan; what came of copying is said in place of the offer. */
import { useState } from 'react';
import { useWords } from '../messages-context.ts';

export function CopyLink({ link }: { link: string }) {
  const words = useWords().messages.desktop;
  const [outcome, setOutcome] = useState<'copied' | 'copyFailed' | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      setOutcome('copied');
    } catch {
      // No permission, or a page without TLS.
      setOutcome('copyFailed');
    }
  };
  return (
    <p className="copy-link">
      <button type="button" className="button button--quiet" onClick={() => void copy()}>
        {words.copy}
      </button>
      <span role="status">{outcome && words[outcome]}</span>
    </p>
  );
}
