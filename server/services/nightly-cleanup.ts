import type { Database } from '../store/port.ts';
import { deleteEndedCalls } from '../store/webhook-outbox.ts';
import type { Clock } from './clock.ts';
import { runRetention } from './retention/run.ts';
import { clearOldTestData } from './test-data.ts';

const DAY_MS = 86_400_000;
/** Webhook calls that have ended stay listed, and can be sent again, for so many days from when they were made. */
export const WEBHOOK_CALL_KEPT_DAYS = 90;
/** Calls of one transaction: sending goes on between them. */
const CALL_BATCH = 500;

/** Each night: test data older than 30 days, ended webhook calls, and whatever has been kept long enough. */
export async function cleanUpNightly(db: Database, clock: Clock): Promise<void> {
  await clearOldTestData(db, clock);
  await clearEndedCalls(db, clock.now() - WEBHOOK_CALL_KEPT_DAYS * DAY_MS);
  await runRetention(db, clock, 'system');
}

async function clearEndedCalls(db: Database, before: number): Promise<void> {
  while ((await db.tx((tx) => deleteEndedCalls(tx, before, CALL_BATCH))) === CALL_BATCH);
}
