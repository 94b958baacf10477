/** The camera or the check cannot be used: why, and what to do in this browser. */
import { browserFamily } from '../../../i18n/browser.ts';
import type { CameraTrouble } from '../../../i18n/messages.ts';
import type { IconName } from '../../../ui/Icon.tsx';
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
  lockdown: 'lock',
  no_engine: 'info',
  not_loaded: 'repeat',
};

export type CameraHelpProps = { trouble: CameraTrouble; onRetry: () => void; onLeave: () => void };

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
      <p className="lead" data-trouble={trouble}>
        {text}
      </p>
      {trouble === 'denied' && (
        <p className="hint-box">{words.allowCamera[browserFamily(navigator.userAgent)]}</p>
      )}
    </Screen>
  );
}

export function Paused({ onResume }: { onResume: () => void }) {
  const { messages } = useWords();
  const { paused, resume } = messages.capture;
  return (
    <Screen
      title={paused.title}
      icon="camera"
      actions={
        <button type="button" className="button button--main" onClick={onResume}>
          {resume}
        </button>
      }
    >
      <p className="lead" data-trouble="paused">
        {paused.text}
      </p>
    </Screen>
  );
}
