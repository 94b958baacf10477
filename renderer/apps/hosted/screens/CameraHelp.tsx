/** The camera or the check cannot be used: the reason, and what to do in this browser. */
import { useEffect } from 'react';
import { browserFamily } from '../../../capture/camera/browser.ts';
import { mayBeFramed } from '../../../capture/camera/camera-policy.ts';
import type { Flow, FlowState } from '../../../flow/flow.ts';
import type { CameraTrouble } from '../../../i18n/messages.ts';
import { Button } from '../../../ui/Button.tsx';
import type { IconName } from '../../../ui/Icon.tsx';
import { Lead } from '../../../ui/Lead.tsx';
import { useWords } from '../messages-context.ts';
import { Screen } from '../Screen.tsx';

const ICONS: Record<CameraTrouble, IconName> = {
  denied: 'camera',
  framed: 'camera',
  forbidden: 'lock',
  portal: 'lock',
  absent: 'camera',
  in_use: 'camera',
  unsupported: 'camera',
  lost: 'camera',
  offline: 'offline',
  blocked: 'lock',
  not_loaded: 'repeat',
};

type CameraHelpProps = {
  trouble: CameraTrouble;
  onRetry: () => void;
  onLeave: () => void;
  flow: Flow;
  state: FlowState;
};

export function CameraHelp({ trouble, onRetry, onLeave, flow, state }: CameraHelpProps) {
  const { messages } = useWords();
  const words = messages.capture;
  const { title, text } = trouble === 'portal' ? messages.waiting.portal : words.trouble[trouble];
  const mayOpenTab = trouble === 'framed' || (trouble === 'denied' && mayBeFramed());
  return (
    <Screen
      title={title}
      icon={ICONS[trouble]}
      tone="look"
      actions={
        <>
          {mayOpenTab && <OwnTab flow={flow} state={state} isMain={trouble === 'framed'} />}
          <Button look={trouble === 'framed' ? 'side' : 'main'} onClick={onRetry}>
            {words.tryAgain}
          </Button>
          <Button look="quiet" onClick={onLeave}>
            {messages.consent.decline}
          </Button>
        </>
      }
    >
      <Lead data-trouble={trouble}>{text}</Lead>
      {trouble === 'denied' && (
        <p className="hint-box">{words.allowCamera[browserFamily(navigator.userAgent)]}</p>
      )}
      {trouble === 'denied' && mayOpenTab && <p className="quiet">{words.trouble.framed.text}</p>}
    </Screen>
  );
}

/** The same run in a tab of its own, where no other page decides about the camera. The link works once. */
function OwnTab({ flow, state, isMain }: { flow: Flow; state: FlowState; isMain: boolean }) {
  const { messages } = useWords();
  const { continuation } = state;
  useEffect(() => {
    if (continuation === null) {
      flow.offerContinuation();
      return;
    }
    const renewal = setTimeout(flow.offerContinuation, Math.max(0, continuation.lifeMs));
    return () => clearTimeout(renewal);
  }, [flow, continuation]);
  return (
    <a
      className={`button button--${isMain ? 'main' : 'side'}`}
      href={continuation?.url}
      aria-disabled={continuation === null}
      target="_blank"
      rel="noopener"
    >
      {messages.openCheck}
      <span className="visually-hidden"> ({messages.opensNewTab})</span>
    </a>
  );
}

type PausedProps = { reason: 'paused' | 'takenOver'; onResume: () => void };

/** The camera is off until the guest continues: the page was left, or another tab has the check. */
export function Paused({ reason, onResume }: PausedProps) {
  const { messages } = useWords();
  const words = messages.capture;
  const { title, text } = words[reason];
  return (
    <Screen
      title={title}
      icon="camera"
      actions={
        <Button look="main" onClick={onResume}>
          {reason === 'paused' ? words.resume : words.continueHere}
        </Button>
      }
    >
      <Lead data-trouble={reason}>{text}</Lead>
    </Screen>
  );
}
