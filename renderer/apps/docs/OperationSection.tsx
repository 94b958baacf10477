import { CodeSample } from './CodeSample.tsx';
import { curlCommand } from './curl.ts';
import { ErrorTable } from './ErrorTable.tsx';
import { FieldTable } from './FieldTable.tsx';
import { codeField, keyHeader, sampleKey } from './generation.ts';
import type { Operation } from './reference.ts';
import { TryIt } from './TryIt.tsx';
import { Words } from './Words.tsx';

export function OperationSection({ operation, baseUrl }: { operation: Operation; baseUrl: string }) {
  const { id, method, path, summary, description, key, deprecated, parameters, request, response, errors } =
    operation;
  const hasTakenFields = parameters.length > 0 || request !== null;
  return (
    <section className="operation" id={id} aria-labelledby={`${id}-title`} data-operation={id}>
      <h2 id={`${id}-title`}>
        {summary} {deprecated && <span className="tag tag--look">deprecated</span>}
      </h2>
      <p className="route">
        <span className="method">{method}</span> <code>{path}</code>
      </p>
      <p>
        <Words>{description}</Words>
      </p>
      <p className="quiet">
        Key: <strong>{key}</strong>
      </p>

      <CodeSample label="curl" code={sampleOf(operation, baseUrl)} />
      <TryIt operation={operation} />

      <h3>Request</h3>
      {!hasTakenFields && <p className="quiet">Takes no fields.</p>}
      {parameters.length > 0 && <FieldTable label={`${summary}: address`} rows={parameters} sent />}
      {request !== null && (
        <>
          <p className="quiet">A JSON object.</p>
          <FieldTable label={`${summary}: request`} rows={request.fields} sent />
        </>
      )}
      <h3>Response</h3>
      <p className="quiet">{response.description}</p>
      <FieldTable label={`${summary}: response`} rows={response.fields} sent={false} />
      <h3>Errors</h3>
      <ErrorTable label={`${summary}: errors`} codeField={codeField(path)} errors={errors} />
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
