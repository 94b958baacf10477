/** Operators' changes to a settled pass. A trigger updates its session's outcome. */
import type { Reason } from '../../domain/settling/reasons.ts';
import type { Scope } from '../../domain/scope.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import { ofScope, toJson } from '../rows.ts';

/** Unlocks; 0 if it was not locked. */
export function unlockPass(tx: SqlTx, scope: Scope, id: string): Promise<number> {
  return tx.run(
    `UPDATE passes SET locked_at = NULL
     WHERE company_id = ? AND partition = ? AND id = ? AND locked_at IS NOT NULL`,
    ...ofScope(scope),
    id,
  );
}

/** The same for all of a person's passes on a verification. */
export function unlockPassesOf(
  tx: SqlTx,
  scope: Scope,
  of: { personId: string; verificationId: string },
): Promise<number> {
  return tx.run(
    `UPDATE passes SET locked_at = NULL
     WHERE company_id = ? AND partition = ? AND person_id = ? AND verification_id = ? AND locked_at IS NOT NULL`,
    ...ofScope(scope),
    of.personId,
    of.verificationId,
  );
}

/** Replaces a verdict. An overridden pass does not count as declined. */
export function overridePass(
  tx: SqlTx,
  scope: Scope,
  id: string,
  verdict: { status: 'approved' | 'denied'; reasons: readonly Reason[]; groups: readonly string[] },
): Promise<number> {
  return tx.run(
    `UPDATE passes SET status = ?, reasons = ?, groups = ?, declined = 0
     WHERE company_id = ? AND partition = ? AND id = ?`,
    verdict.status,
    toJson(verdict.reasons),
    toJson(verdict.groups),
    ...ofScope(scope),
    id,
  );
}

/** A reviewer found that the pass belongs to another person. */
export function detachPass(tx: SqlTx, scope: Scope, id: string): Promise<number> {
  return tx.run(
    'UPDATE passes SET person_id = NULL WHERE company_id = ? AND partition = ? AND id = ?',
    ...ofScope(scope),
    id,
  );
}

/** Users of v1 and v2 of the sessions that a pass is used for, each with one such session. */
export function listUsersOfPass(
  db: SqlReader,
  scope: Scope,
  passId: string,
): Promise<{ connectUserId: string; sessionId: string }[]> {
  return db.all<{ connectUserId: string; sessionId: string }>(
    `SELECT connect_user_id AS connectUserId, MIN(id) AS sessionId FROM sessions
     WHERE company_id = ? AND partition = ? AND pass_id = ? AND connect_user_id IS NOT NULL
     GROUP BY connect_user_id`,
    ...ofScope(scope),
    passId,
  );
}
