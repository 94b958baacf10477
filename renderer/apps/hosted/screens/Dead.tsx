/** A dead link, each kind with its reason and what to do. */
import type { DeadEnd } from '../../../i18n/messages.ts';
import { Button } from '../../../ui/Button.tsx';
import type { IconName } from '../../../ui/Icon.tsx';
import { Lead } from '../../../ui/Lead.tsx';
import type { Flow, FlowState } from '../../../flow/flow.ts';
import type { Exit } from '../exit.ts';
import { useWords } from '../messages-context.ts';
import { Screen } from '../Screen.tsx';
import { waitInWords } from '../../../i18n/language.ts';

/** Ends that may be temporary. */
const PASSING: readonly DeadEnd[] = ['server', 'crowded'];

const ICONS: Record<DeadEnd, IconName> = {
  unknown: 'link',
  claimed: 'phone',
  moved: 'phone',
  expired: 'clock',
  settled: 'check',
  cancelled: 'cross',
  server: 'repeat',
  invite_revoked: 'cross',
  invite_redeemed: 'check',
  link_used: 'link',
  handoff_used: 'phone',
  handoff_expired: 'clock',
  handoff_ended: 'cross',
  continued: 'check',
  continuation_used: 'link',
  continuation_expired: 'clock',
  crowded: 'clock',
  kiosk_required: 'info',
};

export function Dead({ flow, state, exit }: { flow: Flow; state: FlowState; exit: Exit }) {
  const { messages, language } = useWords();
  const { title, text } = messages.deadEnds[state.deadEnd];
  return (
    <Screen
      title={title}
      icon={ICONS[state.deadEnd]}
      actions={
        <>
          {PASSING.includes(state.deadEnd) && (
            <Button look="main" onClick={flow.load}>
              {messages.retryNow}
            </Button>
          )}
          {state.deadEnd === 'moved' && (
            <Button look="main" onClick={flow.load}>
              {messages.continueHere}
            </Button>
          )}
          {exit.embedded && (
            <Button look="side" onClick={() => exit.leave(null)}>
              {messages.closeView}
            </Button>
          )}
        </>
      }
    >
      <Lead data-dead-end={state.deadEnd}>{text}</Lead>
      {state.retryAfterS !== null && (
        <p className="quiet">{messages.retryWhen({ when: waitInWords(state.retryAfterS, language) })}</p>
      )}
    </Screen>
  );
}
