import { type DeletionTime, olderThan } from '../../domain/clock.ts';
import type { SqlTx } from '../sql/port.ts';

const DAY_MS = 86_400_000;

/** Rows that outlive their run, and how many days they are kept. */
const ORPHANS: readonly { table: string; age: string; days: number }[] = [
  // A replay of older frames would need the same challenge again; their signatures are data about people.
  { table: 'seen_frames', age: 'seen_at', days: 30 },
  { table: 'challenges', age: 'expires_at', days: 1 },
  { table: 'handoffs', age: 'expires_at', days: 1 },
  { table: 'continuations', age: 'expires_at', days: 1 },
  // The cap of codes a day looks back one day.
  { table: 'phone_codes', age: 'sent_at', days: 2 },
  { table: 'my_sessions', age: 'expires_at', days: 0 },
  // The longest window of a rate limit is a day.
  { table: 'rate_hits', age: 'at', days: 1 },
];

/** Removes what is no longer needed, over all scopes. Returns rows removed by table. */
export async function deleteOrphans(tx: SqlTx, time: DeletionTime): Promise<Record<string, number>> {
  const removed: Record<string, number> = {};
  for (const { table, age, days } of ORPHANS) {
    removed[table] = await tx.run(`DELETE FROM ${table} WHERE ${age} < ?`, olderThan(time, days * DAY_MS));
  }
  return removed;
}
