import type { Database } from '../store/port.ts';
import type { Clock } from './clock.ts';
import { runRetention } from './retention/run.ts';
import { clearOldTestData } from './test-data.ts';

/** Each night: test data older than 30 days, and whatever has been kept long enough. */
export async function cleanUpNightly(db: Database, clock: Clock): Promise<void> {
  await clearOldTestData(db, clock);
  await runRetention(db, clock, 'system');
}
