import { Icon } from '../../../ui/Icon.tsx';
import { messages } from '../messages.ts';
import type { Operation } from '../reference/reference.ts';
import { textField, type TrialAnswer } from './trial.ts';

export type TrialState =
  | { kind: 'idle' }
  | { kind: 'sending' }
  | { kind: 'failed' }
  | { kind: 'answered'; answer: TrialAnswer };

/** Status, duration and body of the response. Its space is reserved, so that nothing below moves. */
export function TrialResult({ operation, state }: { operation: Operation; state: TrialState }) {
  const answer = state.kind === 'answered' ? state.answer : null;
  const link = answer === null ? null : textField(answer.json, 'url');
  return (
    <div className="result">
      <p className="result__status" role="status" aria-live="polite">
        <Status state={state} errors={operation.errors} />
      </p>
      <pre
        className="code result__body"
        tabIndex={0}
        role="region"
        aria-label={`${messages.operation.response}: ${operation.summary}`}
      >
        <code>{answer?.text ?? ''}</code>
      </pre>
      <p className="result__next">
        {answer !== null && textField(answer.json, 'token') !== null
          ? messages.result.tokenKept
          : link !== null &&
            link.startsWith('http') && (
              <a href={link} target="_blank" rel="noreferrer">
                {messages.result.openLink}
              </a>
            )}
      </p>
    </div>
  );
}

function Status({ state, errors }: { state: TrialState; errors: Operation['errors'] }) {
  switch (state.kind) {
    case 'idle':
      return <span className="quiet">{messages.result.idle}</span>;
    case 'sending':
      return <span className="quiet">{messages.result.sending}</span>;
    case 'failed':
      return (
        <span className="outcome outcome--refused">
          <Icon name="offline" size={18} /> {messages.result.failed}
        </span>
      );
    case 'answered': {
      const { status, durationMs } = state.answer;
      const passed = status < 400;
      const name = passed ? 'OK' : (errors.find((error) => error.status === status)?.name ?? '');
      return (
        <>
          <span className={passed ? 'outcome outcome--passed' : 'outcome outcome--refused'}>
            <Icon name={passed ? 'check' : 'cross'} size={18} /> {status} {name}
          </span>
          <span className="quiet">{messages.try.duration({ ms: durationMs })}</span>
        </>
      );
    }
  }
}
