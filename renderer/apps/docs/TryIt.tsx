import { type SubmitEvent, useId, useState } from 'react';
import { sampleKey } from './generation.ts';
import type { Operation, ParameterRow } from './reference.ts';
import {
  isProblem,
  prepareTrial,
  sendTrial,
  textField,
  type TrialAnswer,
  type TrialProblem,
} from './trial.ts';
import { useTrialMemory } from './trial-memory.ts';
import { TrialResult, type TrialState } from './TrialResult.tsx';
import { TrialField } from './TrialField.tsx';

const PROBLEM_WORDS: Record<TrialProblem['kind'], string> = {
  key_missing: 'Enter a test key: sk_test_… or pk_test_…, or ak_test_… for v1 and v2.',
  key_live:
    'This is a live key. It was not sent, because this page works on test data only. Use sk_test_… or pk_test_…, or ak_test_… for v1 and v2.',
  key_unsendable: 'This is not a valid key. It was not sent.',
  live_key_elsewhere: 'One of the fields contains a live key. Nothing was sent. Remove the key.',
  value_missing: 'Required. This value is part of the address.',
  not_json: 'This is not valid JSON. Nothing was sent.',
};

/** A form that calls the operation on this server with a test key. */
export function TryIt({ operation }: { operation: Operation }) {
  const memory = useTrialMemory();
  const formId = useId();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [body, setBody] = useState(operation.request?.example ?? null);
  const [problem, setProblem] = useState<TrialProblem | null>(null);
  const [state, setState] = useState<TrialState>({ kind: 'idle' });

  const valueOf = ({ name }: ParameterRow) => (name === 'token' ? memory.token : (values[name] ?? ''));
  const valuesIn = (place: ParameterRow['place']) =>
    Object.fromEntries(
      operation.parameters.filter((row) => row.place === place).map((row) => [row.name, valueOf(row)]),
    );
  const change = (name: string, value: string) => {
    if (name === 'token') memory.setToken(value);
    else setValues({ ...values, [name]: value });
  };
  const remember = ({ json }: TrialAnswer) => {
    const token = textField(json, 'token');
    if (token !== null) memory.setToken(token);
  };

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const trial = prepareTrial({
      key: memory.key,
      method: operation.method,
      path: operation.path,
      pathValues: valuesIn('path'),
      queryValues: valuesIn('query'),
      body,
    });
    if (isProblem(trial)) {
      setProblem(trial);
      setState({ kind: 'idle' });
      document.getElementById(`${formId}-${trial.field}`)?.focus();
      return;
    }
    setProblem(null);
    setState({ kind: 'sending' });
    try {
      const answer = await sendTrial(trial, {
        fetch: (url, init) => fetch(url, init),
        nowMs: () => performance.now(),
      });
      remember(answer);
      setState({ kind: 'answered', answer });
    } catch {
      setState({ kind: 'failed' });
    }
  };

  const problemOf = (field: string) => (problem?.field === field ? PROBLEM_WORDS[problem.kind] : null);

  return (
    <details className="try">
      <summary>
        Try it<span className="visually-hidden">: {operation.summary}</span>
      </summary>
      <form className="try__form" noValidate onSubmit={(event) => void submit(event)}>
        <TrialField
          id={`${formId}-key`}
          label="Test key"
          hint="Kept in this page only. Live keys are never sent."
          placeholder={sampleKey(operation.path)}
          value={memory.key}
          problem={problemOf('key')}
          onChange={memory.setKey}
        />
        {operation.parameters.map((row) => (
          <TrialField
            key={row.name}
            id={`${formId}-${row.name}`}
            label={row.name}
            hint={row.place === 'path' ? 'Part of the address.' : row.bounds.join('; ').replaceAll('`', '')}
            value={valueOf(row)}
            problem={problemOf(row.name)}
            onChange={(value) => change(row.name, value)}
          />
        ))}
        {body !== null && (
          <TrialField
            id={`${formId}-body`}
            label="Body (JSON)"
            multiline
            value={body}
            problem={problemOf('body')}
            onChange={setBody}
          />
        )}
        <button
          type="submit"
          className="button button--main try__send"
          aria-disabled={state.kind === 'sending'}
          onClick={(event) => {
            if (state.kind === 'sending') event.preventDefault();
          }}
        >
          Send {operation.method}
          <span className="visually-hidden"> {operation.path}</span>
        </button>
        <TrialResult operation={operation} state={state} />
      </form>
    </details>
  );
}
