/** Creates the demo company: once per installation, as a separate company, so that it touches nothing real. */
import type { Actor } from '../../domain/operators/actor.ts';
import { findCompany } from '../../store/companies/companies.ts';
import type { Database, SqlReader, SqlTx } from '../../store/sql/port.ts';
import type { Clock } from '../ports/clock.ts';
import { findDemo, saveDemo } from '../companies/companies.ts';
import { hashSecret } from '../operators/hashing.ts';
import { randomBase62 } from '../ports/ids.ts';
import type { IssuedKeys } from '../keys/keys.ts';
import { type DemoEvent, type DemoTenant, makeTenant } from './tenant.ts';
import { demoStart } from './moments.ts';
import { DRAWN_PEOPLE, planVisits, type Visit } from './plan.ts';
import { createDice } from './random.ts';
import type { DemoSize } from './size.ts';
import { isDemoTaken, type OnDemoProgress, recordProgress } from './state.ts';
import { makeVenue } from './venue.ts';
import { drawnFrames } from './faces.ts';
import { demoEventsOf, type Written } from './write.ts';
import { saveReceivers, writeCalls } from './webhooks.ts';

/** Events per commit. Nobody else on the database waits longer than one commit takes. */
const EVENTS_PER_COMMIT = 3_000;
const SEED = 20_260;
/** Nobody knows it. */
const PASSPHRASE_LENGTH = 43;

export type DemoMade = {
  company_id: string;
  company_name: string;
  people: number;
  passes: number;
  cases: number;
  webhook_calls: number;
  keys: IssuedKeys;
};

/**
 * Creates the demo company with its whole past. Events and their times, counted back from now, are the same on every
 * machine; IDs and keys are as random as real ones. Null if the installation already has a demo, or another process is
 * making one. What a stopped attempt has left is removed first.
 * @param model of the enrolled faces, so that matching counts them
 */
export async function makeDemo(
  db: Database,
  clock: Clock,
  request: {
    size: DemoSize;
    model: DemoTenant['model'];
    actor: Actor;
    onProgress?: OnDemoProgress;
    wait?: (ms: number) => Promise<unknown>;
  },
): Promise<DemoMade | null> {
  if (await isDemoTaken(db, clock, request.wait)) return null;
  const { size } = request;
  const nowMs = clock.now();
  const lockedHash = await hashSecret(randomBase62(PASSPHRASE_LENGTH));
  const options = { ...request, nowMs, startMs: demoStart(nowMs), lockedHash };
  const made = await db.tx(async (tx) => {
    if ((await findDemo(tx)) !== null) return null;
    const begun = await makeTenant(tx, options);
    await saveDemo(tx, {
      company_id: begun.tenant.live.companyId,
      size: size.name,
      is_done: false,
      at: nowMs,
      written: 0,
      operator_ids: begun.operatorIds,
    });
    return { ...begun, venue: await makeVenue(tx, begun.tenant, nowMs) };
  });
  if (!made) return null;
  const { tenant } = made;
  const dice = createDice(SEED);
  const visits = planVisits(size, nowMs, dice);
  const written: Written = {
    personIds: new Map(),
    userIds: new Map(),
    connectEnds: [],
    venue: made.venue,
    pictures: await Promise.all(Array.from({ length: DRAWN_PEOPLE }, (_, n) => drawnFrames(n))),
    dailyLimit: size.dailyLimit,
  };
  const demoEvents = demoEventsOf(tenant, visits, written, dice).sort((a, b) => a.at - b.at);
  const progress = { companyId: tenant.live.companyId, clock, onProgress: request.onProgress };
  await writeAll(db, demoEvents, progress);
  const reported = written.connectEnds.slice(-size.webhookCalls);
  await db.tx(async (tx) => {
    // Only now: the runs of the past must not send anything.
    await saveReceivers(tx, tenant, options.startMs);
    await writeCalls(tx, tenant, reported, nowMs, dice);
    await recordProgress(tx, tenant.live.companyId, { is_done: true, at: clock.now() });
  });
  return {
    company_id: tenant.live.companyId,
    company_name: await nameOf(db, tenant.live.companyId),
    people: size.people,
    passes: visits.filter(isPass).length,
    cases: size.openCases + size.decidedCases,
    webhook_calls: reported.length,
    keys: made.keys,
  };
}

/** A settled run of the live partition, or a case that was decided. */
const isPass = ({ partition, end, review }: Visit): boolean =>
  partition === 'live' && typeof end === 'object' && (end.kind === 'settle' || review?.decided !== null);

async function writeAll(
  db: Database,
  demoEvents: readonly DemoEvent[],
  {
    companyId,
    clock,
    onProgress,
  }: { companyId: string; clock: Clock; onProgress: OnDemoProgress | undefined },
): Promise<void> {
  for (let from = 0; from < demoEvents.length; from += EVENTS_PER_COMMIT) {
    const some = demoEvents.slice(from, from + EVENTS_PER_COMMIT);
    const written = from + some.length;
    await db.tx(async (tx) => {
      await writeSome(tx, some);
      await recordProgress(tx, companyId, { written, at: clock.now() });
    });
    onProgress?.(written / demoEvents.length);
  }
}

async function writeSome(tx: SqlTx, demoEvents: readonly DemoEvent[]): Promise<void> {
  for (const event of demoEvents) await event.write(tx);
}

const nameOf = async (db: SqlReader, companyId: string): Promise<string> =>
  (await findCompany(db, companyId))?.name ?? '';
