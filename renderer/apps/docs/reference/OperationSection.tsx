import { Suspense } from 'react';
import { lazyPart } from '../../../http/load-part.ts';
import { CodeSample, Words } from '../Code.tsx';
import { ErrorTable } from './ErrorTable.tsx';
import { FieldTable } from './FieldTable.tsx';
import { codeField, keyHeader, sampleKey, curlCommand } from '../calls.ts';
import { messages } from '../messages.ts';
import type { Operation } from './reference.ts';

/** The reference can be read without its forms. */
const TrialMissing = () => <p className="quiet">{messages.try.missing}</p>;

const TrialForm = lazyPart(
  () => import('../trial/TrialForm.tsx'),
  (part) => part.TrialForm,
  TrialMissing,
);

export function OperationSection({ operation, baseUrl }: { operation: Operation; baseUrl: string }) {
  const { id, method, path, summary, description, key, deprecated, parameters, request, response, errors } =
    operation;
  const words = messages.operation;
  const nameOf = (part: string) => `${summary}: ${part.toLowerCase()}`;
  const hasTakenFields = parameters.length > 0 || request !== null;
  return (
    <section className="operation" id={id} aria-labelledby={`${id}-title`} data-operation={id}>
      <h2 id={`${id}-title`}>
        {summary} {deprecated && <span className="tag tag--look">{words.deprecated}</span>}
      </h2>
      <p className="route">
        <span className="method">{method}</span> <code>{path}</code>
      </p>
      <p>
        <Words>{description}</Words>
      </p>
      <p className="quiet">
        {words.key} <strong>{key}</strong>
      </p>

      <CodeSample label="curl" code={sampleOf(operation, baseUrl)} />
      <details className="try">
        <summary>
          {messages.try.title}
          <span className="visually-hidden">: {summary}</span>
        </summary>
        <Suspense>
          <TrialForm operation={operation} />
        </Suspense>
      </details>

      <h3>{words.request}</h3>
      {!hasTakenFields && <p className="quiet">{words.noFields}</p>}
      {parameters.length > 0 && <FieldTable label={nameOf(words.address)} rows={parameters} sent />}
      {request !== null && (
        <>
          <p className="quiet">{words.jsonObject}</p>
          <FieldTable label={nameOf(words.request)} rows={request.fields} sent />
        </>
      )}
      <h3>{words.response}</h3>
      <p className="quiet">{response.description}</p>
      <CodeSample label={words.response} code={response.example} />
      <FieldTable label={nameOf(words.response)} rows={response.fields} sent={false} />
      <h3>{words.errors}</h3>
      <ErrorTable label={nameOf(words.errors)} codeField={codeField(path)} errors={errors} />
    </section>
  );
}

function sampleOf({ method, path, request }: Operation, baseUrl: string): string {
  return curlCommand({
    method,
    url: baseUrl + path.replace('{token}', '<vyt>'),
    headers: {
      ...keyHeader(path, sampleKey(path)),
      ...(request !== null && { 'content-type': 'application/json' }),
    },
    body: request?.example ?? null,
  });
}
