import { messages } from '../messages.ts';
import type { ErrorRow } from './reference.ts';
import { Words } from '../Code.tsx';

/** Statuses with their codes, what each means and what to do about it. */
export function ErrorTable({
  label,
  codeField,
  errors,
}: {
  label: string;
  /** The body field with the code. */
  codeField: string;
  errors: readonly ErrorRow[];
}) {
  return (
    <table className="table table--errors" role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">
            {messages.errorTable.status}
          </th>
          <th role="columnheader" scope="col">
            <code>{codeField}</code> {messages.errorTable.meaning}
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {errors.map(({ status, name, codes, note }) => (
          <tr role="row" key={status}>
            <th role="rowheader" scope="row">
              <span className="status-code">{status}</span>
              <span className="status-words">{name}</span>
            </th>
            <td role="cell">
              {note !== null && (
                <p className="error-note">
                  <Words>{note}</Words>
                </p>
              )}
              <ul className="codes">
                {codes.map(({ code, meaning, action }) => (
                  <li key={code}>
                    <code>{code}</code>
                    <span>
                      <Words>{`${meaning} ${action}`}</Words>
                    </span>
                  </li>
                ))}
              </ul>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
