/** Removes a company with everything that belongs to it, except the entries of its audit log, whose chain stays intact. */
import type { Database, SqlTx } from '../sql/port.ts';

/** Rows of one commit, so that nobody else on the database waits for long. */
const ROWS = 1_000;

/** Tables whose rows refer to none of those after them. Others go with their session, person, event or call. */
const LARGE = [
  ['ticket_entries', 'seq'],
  ['tickets', 'id'],
  ['review_cases', 'id'],
  ['passes', 'id'],
  ['sessions', 'id'],
  ['webhook_calls', 'transaction_id'],
  ['connect_users', 'id'],
  ['people', 'id'],
] as const;
const SMALL = [
  'control_results',
  'invites',
  'guest_photos',
  'page_light',
  'kiosks',
  'events',
  'webhook_secrets',
  'webhook_configs',
  'webhook_destinations',
  'v3_webhooks',
  'usage_days',
  'usage_outcomes',
  'usage_cap_changes',
  'erasure_proofs',
  'idempotency_keys',
  'keys',
  'verifications',
] as const;

/**
 * Can be interrupted and repeated until `last` has run.
 * @param operatorIds operators that were made with the company; those who were put to use stay
 * @param last in the transaction that removes the company itself
 */
export async function removeCompany(
  db: Database,
  companyId: string,
  operatorIds: readonly string[],
  last: (tx: SqlTx) => Promise<void>,
): Promise<void> {
  for (const [table, id] of LARGE) {
    for (;;) {
      const removed = await db.tx((tx) =>
        tx.run(
          `DELETE FROM ${table} WHERE ${id} IN (SELECT ${id} FROM ${table} WHERE company_id = ? LIMIT ${ROWS})`,
          companyId,
        ),
      );
      if (removed < ROWS) break;
    }
  }
  await db.tx(async (tx) => {
    await last(tx);
    // What was added since, by those who still use the company.
    for (const [table] of LARGE) await tx.run(`DELETE FROM ${table} WHERE company_id = ?`, companyId);
    for (const table of SMALL) await tx.run(`DELETE FROM ${table} WHERE company_id = ?`, companyId);
    for (const id of operatorIds)
      await tx.run(
        `DELETE FROM operators WHERE id = ? AND disabled_at IS NOT NULL AND last_signed_in_at IS NULL
           AND NOT EXISTS (SELECT 1 FROM review_cases WHERE assigned_to = operators.id)`,
        id,
      );
    await tx.run('DELETE FROM companies WHERE id = ?', companyId);
  });
}
