import type { ErrorRow } from './reference.ts';
import { statusWords } from './status-words.ts';
import { ERROR_MEANINGS } from './words.ts';
import { Words } from './Words.tsx';

/** Statuses with their codes and what these mean. */
export function ErrorTable({
  label,
  codeField,
  errors,
}: {
  label: string;
  /** The field of the body that holds the code. */
  codeField: string;
  errors: readonly ErrorRow[];
}) {
  return (
    <table className="table table--errors" role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">
            Status
          </th>
          <th role="columnheader" scope="col">
            <code>{codeField}</code> and meaning
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {errors.map(({ status, codes, description }) => (
          <tr role="row" key={status}>
            <th role="rowheader" scope="row">
              <span className="status-code">{status}</span>
              <span className="status-words">{statusWords(status)}</span>
            </th>
            <td role="cell">
              {description !== null && (
                <p className="error-note">
                  <Words>{description}</Words>
                </p>
              )}
              <ul className="codes">
                {codes.map((code) => (
                  <li key={code}>
                    <code>{code}</code>
                    <span>
                      <Words>{ERROR_MEANINGS[code] ?? ''}</Words>
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
