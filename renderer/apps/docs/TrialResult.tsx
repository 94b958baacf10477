import { Icon } from '../../ui/Icon.tsx';
import { statusWords } from './status-words.ts';
import { textField, type TrialAnswer } from './trial.ts';

export type TrialState =
  { kind: 'idle' } | { kind: 'sending' } | { kind: 'failed' } | { kind: 'answered'; answer: TrialAnswer };

/** Status, time and body of the answer. Its place is kept free, so that nothing below moves when it comes. */
export function TrialResult({ label, state }: { label: string; state: TrialState }) {
  const answer = state.kind === 'answered' ? state.answer : null;
  const link = answer === null ? null : textField(answer.json, 'url');
  return (
    <div className="result">
      <p className="result__status" role="status" aria-live="polite">
        <Status state={state} />
      </p>
      <pre className="code result__body" tabIndex={0} role="region" aria-label={`Answer: ${label}`}>
        <code>{answer?.text ?? ''}</code>
      </pre>
      <p className="result__next">
        {answer !== null && textField(answer.json, 'token') !== null
          ? 'The token is filled in for the operations that take one.'
          : link !== null &&
            link.startsWith('http') && (
              <a href={link} target="_blank" rel="noreferrer">
                Open the hosted page (new tab)
              </a>
            )}
      </p>
    </div>
  );
}

function Status({ state }: { state: TrialState }) {
  switch (state.kind) {
    case 'idle':
      return <span className="quiet">The answer appears here.</span>;
    case 'sending':
      return <span className="quiet">Waiting for the answer …</span>;
    case 'failed':
      return (
        <span className="outcome outcome--refused">
          <Icon name="offline" size={18} /> No answer came. Is the server still running?
        </span>
      );
    case 'answered': {
      const { status, durationMs } = state.answer;
      const passed = status < 400;
      return (
        <>
          <span className={passed ? 'outcome outcome--passed' : 'outcome outcome--refused'}>
            <Icon name={passed ? 'check' : 'cross'} size={18} /> {status} {statusWords(status)}
          </span>
          <span className="quiet">{durationMs} ms</span>
        </>
      );
    }
  }
}
