/**
 * How far the demo is. It is written in many commits, so that other work continues, and a process that dies leaves a part
 * of it, which the next attempt removes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { removeCompany } from '../../store/companies/remove.ts';
import type { Database, SqlReader, SqlTx } from '../../store/sql/port.ts';
import type { Clock } from '../ports/clock.ts';
import { findDemo, saveDemo, type SavedDemo } from '../companies/companies.ts';

/** A commit takes seconds at most. One that is this old was the last. */
const ALIVE_MS = 20_000;
const LOOK_MS = 500;

/** Called after each commit, with the share of the demo that is written, from 0 to 1. */
export type OnDemoProgress = (share: number) => void;

/** Saves the progress in the transaction of the rows that were written. */
export async function recordProgress(
  tx: SqlTx,
  companyId: string,
  change: Partial<SavedDemo>,
): Promise<void> {
  const saved = await findDemo(tx);
  if (saved?.company_id !== companyId) throw new Error('The demo was removed while it was being made.');
  await saveDemo(tx, { ...saved, ...change });
}

/**
 * Whether there is a demo, or another process is making one. Removes what a stopped attempt has left.
 * @param wait between two looks at an attempt that may still be running
 */
export async function isDemoTaken(
  db: Database,
  clock: Clock,
  wait: (ms: number) => Promise<unknown> = sleep,
): Promise<boolean> {
  const first = await findDemo(db);
  if (first === null) return false;
  if (first.is_done !== false) return true;
  for (let waitedMs = ageOf(first, clock.now()); waitedMs < ALIVE_MS; waitedMs += LOOK_MS) {
    await wait(LOOK_MS);
    if (await hasChanged(db, first)) return true;
  }
  await removeCompany(db, first.company_id, first.operator_ids ?? [], async (tx) => {
    if (await hasChanged(tx, first)) throw new Error('Another process is making the demo.');
    await saveDemo(tx, null);
  });
  return false;
}

/** Whether a process probably still writes it. */
export const isBeingMade = (demo: SavedDemo, now: number): boolean =>
  demo.is_done === false && ageOf(demo, now) < ALIVE_MS;

const ageOf = ({ at = 0 }: SavedDemo, now: number): number => Math.max(0, now - at);

async function hasChanged(db: SqlReader, before: SavedDemo): Promise<boolean> {
  return JSON.stringify(await findDemo(db)) !== JSON.stringify(before);
}
