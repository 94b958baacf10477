import { deleteLeftovers } from '../store/leftovers.ts';
import type { Database } from '../store/port.ts';
import type { Clock } from './clock.ts';
import { clearOldTestData } from './test-data.ts';

/** Each night: test data older than 30 days, and what runs have left behind. */
export async function cleanUpNightly(db: Database, clock: Clock): Promise<void> {
  await clearOldTestData(db, clock);
  await db.tx((tx) => deleteLeftovers(tx, clock.now()));
}
