/** A failed attempt: what was wrong with the picture, and another try. */
import type { FlowState } from '../../../flow/flow.ts';
import { RetryReasons } from '../../../flow/retry-reasons.tsx';
import { Button } from '../../../ui/Button.tsx';
import { useKiosk } from '../context.ts';
import { Screen } from '../parts/Screen.tsx';
import type { Visit } from '../visit.ts';

export function Retry({ visit, flow }: { visit: Visit; flow: FlowState }) {
  const { kiosk, messages, words } = useKiosk();
  return (
    <Screen
      title={messages.retry.title}
      icon="repeat"
      tone="look"
      actions={
        <>
          <Button look="main" disabled={flow.busy} onClick={visit.flow.again}>
            {messages.retry.again}
          </Button>
          <Button look="side" disabled={flow.busy} onClick={() => kiosk.askStaff(true)}>
            {words.consent.askStaff}
          </Button>
        </>
      }
    >
      <RetryReasons state={flow} messages={messages} iconSize={36} />
    </Screen>
  );
}
