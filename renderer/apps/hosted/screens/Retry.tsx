/** A failed attempt: what was wrong with the picture, and another try. */
import { useState } from 'react';
import { Icon } from '../../../ui/Icon.tsx';
import { LeadList } from '../../../ui/Lead.tsx';
import type { Flow, FlowState } from '../../../flow/flow.ts';
import { useWords } from '../messages-context.ts';
import { retryViewOf } from '../../../flow/retry-reasons.ts';
import { Screen } from '../Screen.tsx';
import { Leave } from './Leave.tsx';

export function Retry({ flow, state }: { flow: Flow; state: FlowState }) {
  const { messages } = useWords();
  const [leaving, setLeaving] = useState(false);
  const { reasons, tips, triesLeft } = retryViewOf(state, messages);
  if (leaving) return <Leave flow={flow} state={state} onBack={() => setLeaving(false)} />;
  return (
    <Screen
      title={messages.retry.title}
      icon="repeat"
      tone="look"
      actions={
        <>
          <button type="button" className="button button--main" disabled={state.busy} onClick={flow.again}>
            {messages.retry.again}
          </button>
          <button type="button" className="button button--quiet" onClick={() => setLeaving(true)}>
            {messages.consent.decline}
          </button>
        </>
      }
    >
      <LeadList className="reasons">
        {reasons.map((reason) => (
          <li key={reason}>
            <Icon name="info" />
            {reason}
          </li>
        ))}
      </LeadList>
      {tips.length > 0 && (
        <ul className="tips">
          {tips.map((tip) => (
            <li key={tip}>{tip}</li>
          ))}
        </ul>
      )}
      {triesLeft > 0 && <p className="quiet">{messages.retry.triesLeft({ count: triesLeft })}</p>}
    </Screen>
  );
}
