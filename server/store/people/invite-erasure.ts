import type { Scope } from '../../domain/scope.ts';
import type { NamedPerson } from './erased-runs.ts';
import type { SqlTx } from '../sql/port.ts';
import { ofScope, toJson } from '../rows.ts';
import { EMPTY_REQUEST } from '../../domain/runs/session-request.ts';

/**
 * Removes everything about the person from their invites: those of the given runs, and unopened ones that name the
 * person. They can no longer be opened. Returns rows changed.
 */
export async function eraseFromInvites(
  tx: SqlTx,
  scope: Scope,
  { identities, externalIds }: NamedPerson,
  ofRuns: readonly string[],
  at: number,
): Promise<number> {
  const own = ofScope(scope);
  const ids = new Set(ofRuns);
  const find = async (path: string, value: string) => {
    const rows = await tx.all<{ id: string }>(
      `SELECT id FROM invites WHERE company_id = ? AND partition = ? AND json_extract(request, '${path}') = ?`,
      ...own,
      value,
    );
    for (const { id } of rows) ids.add(id);
  };
  for (const { identifier } of identities) await find('$.identity.identifier', identifier);
  for (const externalId of externalIds) await find('$.externalId', externalId);
  for (const id of ids) {
    await tx.run(
      `UPDATE invites SET request = ?, revoked_at = COALESCE(revoked_at, ?)
       WHERE company_id = ? AND partition = ? AND id = ?`,
      toJson(EMPTY_REQUEST),
      at,
      ...own,
      id,
    );
  }
  return ids.size;
}
