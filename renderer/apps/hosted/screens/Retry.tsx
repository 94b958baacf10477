/** A failed attempt: what was wrong with the picture, and another try. */
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import type { Flow, FlowState } from '../../../flow/flow.ts';
import { useWords } from '../messages-context.ts';
import { RetryReasons } from '../../../flow/retry-reasons.tsx';
import { Screen } from '../Screen.tsx';
import { Leave } from './Leave.tsx';

export function Retry({ flow, state }: { flow: Flow; state: FlowState }) {
  const { messages } = useWords();
  const [leaving, setLeaving] = useState(false);
  if (leaving) return <Leave flow={flow} state={state} onBack={() => setLeaving(false)} />;
  return (
    <Screen
      title={messages.retry.title}
      icon="repeat"
      tone="look"
      actions={
        <>
          <Button look="main" disabled={state.busy} onClick={flow.again}>
            {messages.retry.again}
          </Button>
          <Button look="quiet" onClick={() => setLeaving(true)}>
            {messages.consent.decline}
          </Button>
        </>
      }
    >
      <RetryReasons state={state} messages={messages} />
    </Screen>
  );
}
