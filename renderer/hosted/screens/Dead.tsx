/** A link that leads nowhere, each kind with its reason and what to do. */
import type { DeadEnd } from '../../i18n/messages.ts';
import type { IconName } from '../../ui/Icon.tsx';
import type { Flow, FlowState } from '../flow.ts';
import { useWords } from '../messages-context.ts';
import { Screen } from '../Screen.tsx';

const ICONS: Record<DeadEnd, IconName> = {
  unknown: 'link',
  claimed: 'phone',
  expired: 'clock',
  settled: 'check',
  cancelled: 'cross',
  server: 'repeat',
  unsupported_step: 'info',
};

export function Dead({ flow, state }: { flow: Flow; state: FlowState }) {
  const { messages } = useWords();
  const { title, text } = messages.deadEnds[state.deadEnd];
  return (
    <Screen
      title={title}
      icon={ICONS[state.deadEnd]}
      actions={
        state.deadEnd === 'server' && (
          <button type="button" className="button button--main" onClick={flow.load}>
            {messages.retryNow}
          </button>
        )
      }
    >
      <p className="lead" data-dead-end={state.deadEnd}>
        {text}
      </p>
    </Screen>
  );
}
