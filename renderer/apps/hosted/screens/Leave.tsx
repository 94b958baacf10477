/** Leaving ends the run permanently, so it needs confirmation. */
import type { Flow, FlowState } from '../../../flow/flow.ts';
import { Button } from '../../../ui/Button.tsx';
import { Lead } from '../../../ui/Lead.tsx';
import { useWords } from '../messages-context.ts';
import { Screen } from '../Screen.tsx';

export function Leave({ flow, state, onBack }: { flow: Flow; state: FlowState; onBack: () => void }) {
  const { messages } = useWords();
  const words = messages.leave;
  return (
    <Screen
      title={words.title}
      icon="door"
      actions={
        <>
          <Button look="main" disabled={state.busy} onClick={onBack}>
            {words.back}
          </Button>
          <Button look="side" disabled={state.busy} onClick={flow.decline}>
            {words.confirm}
          </Button>
        </>
      }
    >
      <Lead>{words.text({ organiser: state.snapshot?.branding.organiser ?? '' })}</Lead>
    </Screen>
  );
}
