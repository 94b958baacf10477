/**
 * In a browser without camera access, usually an app's own: how to continue in the phone's browser, with the same run.
 */
import { useEffect, useState } from 'react';
import type { HandoffMessages } from '../../../../locales/types/handoff.ts';
import { phoneSystem } from '../../../capture/camera/browser.ts';
import { hasCameraInterface } from '../../../capture/camera/camera-permission.ts';
import type { Flow, FlowState } from '../../../flow/flow.ts';
import { androidBrowserLink, withoutSecrets } from '../../../flow/link.ts';
import { Button } from '../../../ui/Button.tsx';
import { Lead } from '../../../ui/Lead.tsx';
import { withHandoffWords } from '../later-words.tsx';
import { useWords } from '../messages-context.ts';
import { Screen } from '../Screen.tsx';
import { Leave } from './Leave.tsx';

type ElsewhereProps = { flow: Flow; state: FlowState; words: HandoffMessages };

export const Elsewhere = withHandoffWords(OtherBrowser);

function OtherBrowser({ flow, state, words: { elsewhere: words } }: ElsewhereProps) {
  const { messages } = useWords();
  const [leaving, setLeaving] = useState(false);
  const [outcome, setOutcome] = useState<'copied' | 'copyFailed' | null>(null);
  const system = phoneSystem(navigator.userAgent);
  const { continuation } = state;
  const link = continuation?.url ?? null;

  useEffect(() => {
    if (continuation === null) {
      flow.offerContinuation();
      return;
    }
    const renewal = setTimeout(flow.offerContinuation, Math.max(0, continuation.lifeMs));
    return () => clearTimeout(renewal);
  }, [flow, continuation]);
  useEffect(() => {
    if (link === null) return;
    // The app's own "Open in browser" passes on the address of the page.
    const { pathname, search, hash } = new URL(link);
    history.replaceState(null, '', `${pathname}${search}${hash}`);
    return () => history.replaceState(null, '', withoutSecrets(location.href));
  }, [link]);

  if (leaving) return <Leave flow={flow} state={state} onBack={() => setLeaving(false)} />;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link ?? '');
      setOutcome('copied');
    } catch {
      // No permission, as in many apps.
      setOutcome('copyFailed');
    }
  };
  const opens = system === 'android' && link !== null;
  return (
    <Screen
      title={words.title}
      icon="camera"
      tone="look"
      actions={
        <>
          {opens && (
            <a className="button button--main" href={androidBrowserLink(link)}>
              {words.open}
            </a>
          )}
          <Button look={opens ? 'side' : 'main'} disabled={link === null} onClick={() => void copy()}>
            {words.copy}
          </Button>
          {hasCameraInterface() && (
            <Button look="quiet" onClick={() => flow.setNoCamera(false)}>
              {words.tryCamera}
            </Button>
          )}
          <Button look="quiet" onClick={() => setLeaving(true)}>
            {messages.consent.decline}
          </Button>
        </>
      }
    >
      <Lead data-elsewhere={system}>{words.text}</Lead>
      <ul className="ways">
        <li>{words.menu[system]}</li>
        <li>{words.paste[system]}</li>
      </ul>
      <p className="ways__note" role="status">
        {outcome === null ? words.keepOpen : words[outcome]}
      </p>
      {outcome === 'copyFailed' && (
        <label className="field">
          <span>{words.linkLabel}</span>
          <input readOnly value={link ?? ''} onFocus={({ target }) => target.select()} />
        </label>
      )}
    </Screen>
  );
}
