import type { DeletionTime } from '../../domain/clock.ts';
import type { Scope } from '../../domain/scope.ts';
import type { SqlTx } from '../sql/port.ts';
import { foldUnusedGroups, listCountedGroups } from '../usage/groups.ts';

/** Tables of a scope’s runs and people, children first, each with the column that holds a row’s age. */
const TABLES: readonly { table: string; age: string }[] = [
  { table: 'review_cases', age: 'opened_at' },
  { table: 'passes', age: 'settled_at' },
  { table: 'templates', age: 'created_at' },
  { table: 'guest_photos', age: 'taken_at' },
];

/**
 * Removes a scope's runs and people from before `before`; people are removed if none of their data is newer. Usage
 * counters stay, so that clearing cannot be used to avoid a cap. Returns rows removed by table.
 */
export async function deleteRunsBefore(
  tx: SqlTx,
  scope: Scope,
  before: DeletionTime,
): Promise<Record<string, number>> {
  const removed: Record<string, number> = {};
  const where = 'company_id = ? AND partition = ?';
  for (const { table, age } of TABLES) {
    removed[table] = await tx.run(
      `DELETE FROM ${table} WHERE ${where} AND ${age} < ?`,
      scope.companyId,
      scope.partition,
      before,
    );
  }
  removed['sessions'] = await tx.run(
    `DELETE FROM sessions WHERE ${where} AND created_at < ?
       AND NOT EXISTS (SELECT 1 FROM passes WHERE passes.session_id = sessions.id)
       AND NOT EXISTS (SELECT 1 FROM review_cases WHERE review_cases.session_id = sessions.id)`,
    scope.companyId,
    scope.partition,
    before,
  );
  removed['invites'] = await tx.run(
    `DELETE FROM invites WHERE ${where} AND created_at < ?
       AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.invite_id = invites.id)`,
    scope.companyId,
    scope.partition,
    before,
  );
  removed['connect_users'] = await tx.run(
    `DELETE FROM connect_users WHERE ${where} AND changed_at < ?
       AND id NOT IN (SELECT connect_user_id FROM invites WHERE connect_user_id IS NOT NULL)
       AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.connect_user_id = connect_users.id)`,
    scope.companyId,
    scope.partition,
    before,
  );
  removed['people'] = await tx.run(
    `DELETE FROM people WHERE ${where} AND last_seen_at < ?
       AND NOT EXISTS (SELECT 1 FROM passes WHERE passes.person_id = people.id)`,
    scope.companyId,
    scope.partition,
    before,
  );
  // Calls name users by the integration's own ID, and contain receivers' answers.
  removed['webhook_calls'] = await tx.run(
    `DELETE FROM webhook_calls WHERE ${where} AND status <> 'PENDING' AND created_at < ?`,
    scope.companyId,
    scope.partition,
    before,
  );
  removed['usage_groups'] = await foldUnusedGroups(tx, scope, await listCountedGroups(tx, scope));
  return removed;
}
