import { type SubmitEvent, useId, useState } from 'react';
import { sampleKey } from '../calls.ts';
import { messages } from '../messages.ts';
import type { Operation, ParameterRow } from '../reference/reference.ts';
import { boundWords } from '../reference/schema-words.ts';
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

/** A form that calls the operation on this server with a test key. Loaded after the page, which can be read without it. */
export function TrialForm({ operation }: { operation: Operation }) {
  const words = messages.try;
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

  const problemOf = (field: string) => (problem?.field === field ? words.problems[problem.kind] : null);

  return (
    <form className="try__form" noValidate onSubmit={(event) => void submit(event)}>
      <TrialField
        id={`${formId}-key`}
        label={words.key}
        hint={words.keyHint}
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
          hint={
            row.place === 'path' ? words.inAddress : boundWords(row.schema).join('; ').replaceAll('`', '')
          }
          value={valueOf(row)}
          problem={problemOf(row.name)}
          onChange={(value) => change(row.name, value)}
        />
      ))}
      {body !== null && (
        <TrialField
          id={`${formId}-body`}
          label={words.body}
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
        {words.send} {operation.method}
        <span className="visually-hidden"> {operation.path}</span>
      </button>
      <TrialResult operation={operation} state={state} />
    </form>
  );
}
