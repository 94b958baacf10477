/** On the phone that scanned a computer's code: both screens must show the same number before anything goes on. */
import type { Flow, FlowState } from '../flow.ts';
import { useWords } from '../messages-context.ts';
import { Screen } from '../Screen.tsx';

export type HandoffProps = { flow: Flow; state: FlowState; matchCode: string | null };

export function Handoff({ flow, state, matchCode }: HandoffProps) {
  const words = useWords().messages.handoff;
  return (
    <Screen
      title={words.title}
      actions={
        <>
          <button
            type="button"
            className="button button--main"
            disabled={state.busy}
            onClick={() => flow.answerHandoff(true)}
          >
            {words.yes}
          </button>
          <button
            type="button"
            className="button button--side"
            disabled={state.busy}
            onClick={() => flow.answerHandoff(false)}
          >
            {words.no}
          </button>
        </>
      }
    >
      <strong className="match__code" data-match-code>
        {matchCode}
      </strong>
      <p className="lead">{words.text}</p>
    </Screen>
  );
}
