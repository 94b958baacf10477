/** The camera or the check cannot be used: the reason, and what to do in this browser. */
import { browserFamily } from '../../../capture/camera/browser.ts';
import type { CameraTrouble } from '../../../i18n/messages.ts';
import type { IconName } from '../../../ui/Icon.tsx';
import { Lead } from '../../../ui/Lead.tsx';
import { useWords } from '../messages-context.ts';
import { Screen } from '../Screen.tsx';

const ICONS: Record<CameraTrouble, IconName> = {
  denied: 'camera',
  absent: 'camera',
  in_use: 'camera',
  unsupported: 'camera',
  lost: 'camera',
  offline: 'offline',
  blocked: 'lock',
  not_loaded: 'repeat',
};

type CameraHelpProps = { trouble: CameraTrouble; onRetry: () => void; onLeave: () => void };

export function CameraHelp({ trouble, onRetry, onLeave }: CameraHelpProps) {
  const { messages } = useWords();
  const words = messages.capture;
  const { title, text } = words.trouble[trouble];
  return (
    <Screen
      title={title}
      icon={ICONS[trouble]}
      tone="look"
      actions={
        <>
          <button type="button" className="button button--main" onClick={onRetry}>
            {words.tryAgain}
          </button>
          <button type="button" className="button button--quiet" onClick={onLeave}>
            {messages.consent.decline}
          </button>
        </>
      }
    >
      <Lead data-trouble={trouble}>{text}</Lead>
      {trouble === 'denied' && (
        <p className="hint-box">{words.allowCamera[browserFamily(navigator.userAgent)]}</p>
      )}
    </Screen>
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
        <button type="button" className="button button--main" onClick={onResume}>
          {reason === 'paused' ? words.resume : words.continueHere}
        </button>
      }
    >
      <Lead data-trouble={reason}>{text}</Lead>
    </Screen>
  );
}
