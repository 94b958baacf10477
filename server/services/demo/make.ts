/** Making the demo company: once an installation, in a company of its own, so that nothing real is touched. */
import { findCompany } from '../../store/companies/companies.ts';
import type { Database, SqlReader, SqlTx } from '../../store/sql/port.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';
import type { Clock } from '../clock.ts';
import { hashSecret } from '../operators/hashing.ts';
import { randomBase62 } from '../ids.ts';
import type { IssuedKeys } from '../keys/keys.ts';
import { caseDeeds } from './cases.ts';
import type { DemoEvent, DemoPlace } from './event.ts';
import { demoStart } from './moments.ts';
import { makePlace } from './tenant.ts';
import { type PlannedRun, tell } from './plan.ts';
import { createDice } from './random.ts';
import { runDeeds, type RunsWritten } from './runs.ts';
import { type DemoSizeName, SIZES } from './size.ts';
import { testRunDeeds } from './test-runs.ts';
import { type Counted, writeUsage } from './usage.ts';
import { makeVenue } from './venue.ts';
import { saveReceivers, writeCalls } from './webhooks.ts';

const SETTING = 'demo';
/** So many events share a commit; nobody else on the database waits longer than one of them takes. */
const EVENTS_PER_COMMIT = 3_000;
const SEED = 20_260;
/** Nobody has ever known it. */
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

/** The demo's company, where it has been made. */
export async function findDemoCompany(db: SqlReader): Promise<string | null> {
  return (await readSetting<{ company_id: string }>(db, SETTING))?.company_id ?? null;
}

/**
 * Makes the demo company with all its past. What happened and when is the same on every machine, told from now
 * backwards; ids and keys are as random as real ones. Null where the installation has a demo already.
 * @param model of the enrolled faces, so that matching counts them
 */
export async function makeDemo(
  db: Database,
  clock: Clock,
  request: { size: DemoSizeName; model: DemoPlace['model']; actor: string },
): Promise<DemoMade | null> {
  const size = SIZES[request.size];
  const nowMs = clock.now();
  const lockedHash = await hashSecret(randomBase62(PASSPHRASE_LENGTH));
  const options = { ...request, size, nowMs, startMs: demoStart(nowMs), lockedHash };
  const made = await db.tx(async (tx) => {
    if ((await findDemoCompany(tx)) !== null) return null;
    const begun = await makePlace(tx, options);
    await writeSetting(tx, SETTING, { company_id: begun.place.live.companyId, size: request.size });
    await saveReceivers(tx, begun.place, options.startMs);
    return { ...begun, venue: await makeVenue(tx, begun.place, nowMs) };
  });
  if (!made) return null;
  const { place } = made;
  const dice = createDice(SEED);
  const story = tell(size, nowMs, dice);
  const written: RunsWritten = { known: new Map(), connectEnds: [], venue: made.venue };
  const tested: Counted[] = [];
  const cases = await caseDeeds(place, { size, story, known: written.known, nowMs, dice });
  const demoEvents = [
    ...runDeeds(place, story.runs, written, dice),
    ...cases.demoEvents,
    ...testRunDeeds(place, size.testRuns, { nowMs, dice, counted: tested }),
  ].sort((a, b) => a.at - b.at);
  await writeAll(db, demoEvents);
  const told = written.connectEnds.slice(-size.webhookCalls);
  await db.tx(async (tx) => {
    await writeCalls(tx, place, told, nowMs, dice);
    await writeUsage(tx, place.live, [...countedRuns(place, story.runs), ...cases.counted]);
    await writeUsage(tx, place.test, tested);
  });
  return {
    company_id: place.live.companyId,
    company_name: await nameOf(db, place.live.companyId),
    people: story.people.length,
    passes: story.runs.filter(({ end }) => end.state === 'settled').length + size.decidedCases,
    cases: size.openCases + size.decidedCases,
    webhook_calls: told.length,
    keys: made.keys,
  };
}

async function writeAll(db: Database, demoEvents: readonly DemoEvent[]): Promise<void> {
  for (let from = 0; from < demoEvents.length; from += EVENTS_PER_COMMIT) {
    const some = demoEvents.slice(from, from + EVENTS_PER_COMMIT);
    await db.tx((tx) => writeSome(tx, some));
  }
}

async function writeSome(tx: SqlTx, demoEvents: readonly DemoEvent[]): Promise<void> {
  for (const event of demoEvents) await event.write(tx);
}

/** As settling names an outcome for the usage page. */
function countedRuns(place: DemoPlace, runs: readonly PlannedRun[]): Counted[] {
  return runs.flatMap(({ at, end, group, place: where }) => {
    if (end.state !== 'settled') return [];
    const first = end.reasons[0];
    const outcome = end.status === 'denied' ? (first ?? 'denied') : first ? 'flagged' : 'approved';
    return [{ at, verificationId: place.verificationIds[where] ?? '', group, outcome }];
  });
}

const nameOf = async (db: SqlReader, companyId: string): Promise<string> =>
  (await findCompany(db, companyId))?.name ?? '';
