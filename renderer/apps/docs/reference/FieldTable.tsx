import { messages } from '../messages.ts';
import type { FieldRow } from './reference.ts';
import { boundWords, typeWords } from './schema-words.ts';
import { Words } from '../Code.tsx';

/** Fields of a request or a response. Roles are explicit because a phone lays the rows out as blocks. */
export function FieldTable({
  label,
  rows,
  sent,
}: {
  label: string;
  rows: readonly FieldRow[];
  sent: boolean;
}) {
  return (
    <table className="table" role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">
            {messages.fields.field}
          </th>
          <th role="columnheader" scope="col">
            {messages.fields.type}
          </th>
          <th role="columnheader" scope="col">
            {messages.fields.meaning}
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <Row key={row.path} row={row} sent={sent} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row, sent }: { row: FieldRow; sent: boolean }) {
  const bounds = boundWords(row.schema);
  return (
    <tr role="row" data-depth={row.depth}>
      <th role="rowheader" scope="row">
        <code className="field-name" title={row.depth > 0 ? row.path : undefined}>
          {row.depth > 0 && <span className="visually-hidden">{row.path.slice(0, -row.name.length)}</span>}
          {row.name}
        </code>
        <Tags row={row} sent={sent} />
      </th>
      <td role="cell">
        <span className="type">{typeWords(row.schema)}</span>
        {bounds.length > 0 && (
          <span className="bounds">
            <Words>{bounds.join('; ')}</Words>
          </span>
        )}
      </td>
      <td role="cell">
        <Words>{row.description}</Words>
      </td>
    </tr>
  );
}

/** Request fields say whether they are required. Response fields say so only if they can be absent. */
function Tags({ row, sent }: { row: FieldRow; sent: boolean }) {
  const { fields, operation } = messages;
  const needInRequest = row.required ? fields.required : fields.optional;
  const needInResponse = row.required ? null : fields.mayBeAbsent;
  const need = sent ? needInRequest : needInResponse;
  return (
    <span className="tags">
      {need !== null && <span className={row.required ? 'tag tag--strong' : 'tag'}>{need}</span>}
      {row.keys !== null && (
        <span className="tag tag--key">
          {row.keys} {fields.key}
        </span>
      )}
      {row.deprecated && <span className="tag tag--look">{operation.deprecated}</span>}
    </span>
  );
}
