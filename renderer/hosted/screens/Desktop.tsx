/** On a computer: the check needs a phone. The link continues this very run there, and this page follows. */
import { useState } from 'react';
import type { Flow, FlowState } from '../flow.ts';
import { phoneLink } from '../link.ts';
import { useWords } from '../messages-context.ts';
import { Screen } from '../Screen.tsx';
import type { TokenStore } from '../token-store.ts';

export type DesktopProps = { flow: Flow; state: FlowState; tokens: TokenStore };

export function Desktop({ flow, state, tokens }: DesktopProps) {
  const { messages } = useWords();
  const words = messages.desktop;
  const [copied, setCopied] = useState(false);
  const [link] = useState(() => {
    const token = tokens.read();
    return token === null ? location.href : phoneLink(location.href, token);
  });
  const copy = () => {
    navigator.clipboard.writeText(link).then(
      () => setCopied(true),
      () => document.querySelector<HTMLInputElement>('#phone-link')?.select(),
    );
  };
  return (
    <Screen
      title={words.title}
      icon="phone"
      actions={
        <>
          <button type="button" className="button button--main" onClick={copy}>
            {copied ? words.copied : words.copy}
          </button>
          {state.snapshot?.is_test && (
            <button type="button" className="button button--side" onClick={flow.useThisComputer}>
              {words.useThisCamera}
            </button>
          )}
        </>
      }
    >
      <p className="lead">{words.text}</p>
      <label className="field">
        <span>{words.linkLabel}</span>
        <input id="phone-link" readOnly value={link} onFocus={(event) => event.target.select()} />
      </label>
      <p className="quiet" role="status">
        {words.follows}
      </p>
    </Screen>
  );
}
