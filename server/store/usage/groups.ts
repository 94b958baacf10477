/** Names of groups in the usage counters. The counts stay, for the cap and the bill. */
import type { Scope } from '../../domain/scope.ts';
import { ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

const OWN = 'company_id = ? AND partition = ?';
/** Where a group is used: by a run, a pass or a venue's event. */
const USERS = ['sessions', 'passes', 'events'] as const;

async function isUsed(db: SqlReader, scope: Scope, group: string): Promise<boolean> {
  for (const table of USERS) {
    const row = await db.one(
      `SELECT 1 FROM ${table} WHERE ${OWN} AND group_id = ? LIMIT 1`,
      ...ofScope(scope),
      group,
    );
    if (row !== undefined) return true;
  }
  return false;
}

/** Moves counts of unused groups to "no group". Returns how many groups there were. */
export async function foldUnusedGroups(tx: SqlTx, scope: Scope, groups: Iterable<string>): Promise<number> {
  const own = ofScope(scope);
  let folded = 0;
  for (const group of groups) {
    if (group === '' || (await isUsed(tx, scope, group))) continue;
    await tx.run(
      `INSERT INTO usage_outcomes (company_id, partition, day, verification_id, group_id, outcome, settled)
         SELECT company_id, partition, day, verification_id, '', outcome, settled FROM usage_outcomes
         WHERE ${OWN} AND group_id = ?
       ON CONFLICT (company_id, partition, day, verification_id, group_id, outcome)
         DO UPDATE SET settled = usage_outcomes.settled + excluded.settled`,
      ...own,
      group,
    );
    const removed = await tx.run(`DELETE FROM usage_outcomes WHERE ${OWN} AND group_id = ?`, ...own, group);
    if (removed > 0) folded += 1;
  }
  return folded;
}

/** Groups in the scope's usage counters. */
export async function listCountedGroups(db: SqlReader, scope: Scope): Promise<string[]> {
  const rows = await db.all<{ name: string }>(
    `SELECT DISTINCT group_id AS name FROM usage_outcomes WHERE ${OWN} AND group_id <> ''`,
    ...ofScope(scope),
  );
  return rows.map(({ name }) => name);
}
