/** Who approved a check by hand, and why: the audit log is the only record of it. */
import type { LetIn } from '../../contract/console/sessions.ts';
import type { Scope } from '../../domain/scope.ts';
import { fromJson } from '../../store/rows.ts';
import { listOverrides } from '../../store/runs/session-timeline.ts';
import type { SqlReader } from '../../store/sql/port.ts';

/**
 * By the ID of the pass; without those that nobody decided by hand.
 * @param passIds of passes with a note: whatever staff decided last about such a pass was an approval
 */
export async function readLetIn(
  db: SqlReader,
  scope: Scope,
  passIds: readonly (string | null)[],
): Promise<ReadonlyMap<string, LetIn>> {
  const rows = await listOverrides(
    db,
    scope,
    passIds.filter((id) => id !== null),
  );
  return new Map(
    rows.map(({ passId, actorName, details }) => [
      passId,
      { by: actorName, reason: fromJson<{ reason?: string }>(details).reason ?? '' },
    ]),
  );
}
