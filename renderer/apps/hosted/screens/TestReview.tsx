/** Test sessions only: decides a run that waits for a reviewer, so that an integrator never waits for a person. */
import { TEST_DECISIONS } from '../../../../server/contract/flow.ts';
import type { Flow, FlowState } from '../../../flow/flow.ts';
import { useWords } from '../messages-context.ts';

export function TestReview({ flow, state }: { flow: Flow; state: FlowState }) {
  const words = useWords().messages.test;
  return (
    <div className="test-faces" role="group" aria-labelledby="test-review">
      <h2 id="test-review">{words.reviewTitle}</h2>
      <p>{words.reviewText}</p>
      <div className="test-faces__list">
        {TEST_DECISIONS.map((decision) => (
          <button
            key={decision}
            type="button"
            className="button button--side"
            data-decision={decision}
            disabled={state.busy}
            onClick={() => flow.testReview(decision)}
          >
            {words.decisions[decision]}
          </button>
        ))}
      </div>
    </div>
  );
}
