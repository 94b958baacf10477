import type { FieldRow } from './reference.ts';
import { FIELD_MEANINGS } from './words.ts';
import { Words } from './Words.tsx';

/** Fields of a request or an answer. Its roles are written out: on a phone its rows are laid out as blocks. */
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
            Field
          </th>
          <th role="columnheader" scope="col">
            Type
          </th>
          <th role="columnheader" scope="col">
            Meaning
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
  const meaning = row.description === '' ? FIELD_MEANINGS[row.name] : row.description;
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
        <span className="type">{row.type}</span>
        {row.bounds.length > 0 && (
          <span className="bounds">
            <Words>{row.bounds.join('; ')}</Words>
          </span>
        )}
      </td>
      <td role="cell">{meaning !== undefined && <Words>{meaning}</Words>}</td>
    </tr>
  );
}

/** Most fields that are sent are optional, and all that come back are there: only the other case is worth a word. */
function Tags({ row, sent }: { row: FieldRow; sent: boolean }) {
  const need = sent ? (row.required ? 'required' : 'optional') : row.required ? null : 'may be absent';
  return (
    <span className="tags">
      {need !== null && <span className={row.required ? 'tag tag--strong' : 'tag'}>{need}</span>}
      {row.keys !== null && <span className="tag tag--key">{row.keys} key</span>}
      {row.deprecated && <span className="tag tag--look">deprecated</span>}
    </span>
  );
}
