/** Part of the result screen while a reviewer decides: the page learns the decision. Test sessions can make it here. */
import { useEffect } from 'react';
import { TEST_DECISIONS } from '../../../../server/contract/flow.ts';
import { awaitDecision } from '../../../flow/await-decision.ts';
import type { Flow, FlowState } from '../../../flow/flow.ts';
import { useWords } from '../messages-context.ts';
import { Button } from '../../../ui/Button.tsx';

export function Pending({ flow, state }: { flow: Flow; state: FlowState }) {
  const words = useWords().messages.test;
  useEffect(() => {
    const stop = new AbortController();
    awaitDecision({ follow: (signal) => flow.followDecision(signal), look: flow.lookAgain }, stop.signal);
    return () => stop.abort();
  }, [flow]);

  if (!state.snapshot?.is_test) return null;
  return (
    <div className="test-faces" role="group" aria-labelledby="test-review">
      <h2 id="test-review">{words.reviewTitle}</h2>
      <p>{words.reviewText}</p>
      <div className="test-faces__list">
        {TEST_DECISIONS.map((decision) => (
          <Button
            key={decision}
            look="side"
            data-decision={decision}
            disabled={state.busy}
            onClick={() => flow.testReview(decision)}
          >
            {words.decisions[decision]}
          </Button>
        ))}
      </div>
    </div>
  );
}
