/** Erases people again who were erased after the backup was made (product, "Privacy"). */
import type { Partition, Scope } from '../../domain/scope.ts';
import { findPerson } from '../../store/people/people.ts';
import type { Database, SqlReader } from '../../store/sql/port.ts';
import type { Clock } from '../clock.ts';
import { eraseWithProof } from '../people/erasure-proof.ts';

export type Erasure = { scope: Scope; personId: string };

/** People erased since `sinceMs`, from the audit log. */
export async function erasuresSince(db: SqlReader, sinceMs: number): Promise<Erasure[]> {
  const rows = await db.all<{ companyId: string; partition: Partition; personId: string }>(
    `SELECT company_id AS companyId, partition, subject AS personId FROM audit_entries
     WHERE action = 'person.erase' AND at >= ? AND company_id IS NOT NULL AND partition IS NOT NULL ORDER BY seq`,
    sinceMs,
  );
  return rows.map(({ companyId, partition, personId }) => ({ scope: { companyId, partition }, personId }));
}

/** @returns how many of them the backup had brought back; they are erased again */
export async function repeatErasures(
  db: Database,
  clock: Clock,
  erasures: readonly Erasure[],
): Promise<number> {
  let repeated = 0;
  for (const { scope, personId } of erasures) {
    const done = await db.tx(async (tx) => {
      const person = await findPerson(tx, scope, personId);
      if (!person) return false;
      await eraseWithProof(tx, scope, person, {
        at: clock.now(),
        actor: 'system',
        reason: 'erased after the backup was made',
      });
      return true;
    });
    if (done) repeated += 1;
  }
  if (repeated > 0) await db.truncateLog();
  return repeated;
}
