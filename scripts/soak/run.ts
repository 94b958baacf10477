/**
 * A venue's day at speed: visitors arrive, and the server is killed (SIGKILL) again and again. At the end nothing that
 * it acknowledged may be lost, and nothing told under two ids.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomOf } from '../../testing/camera/capture-random.ts';
import type { Clips } from '../../testing/camera/clips.ts';
import { startGatehouse, type Gatehouse } from '../../e2e/support/server.ts';
import { ok, startWebhookReceiver, webhookAdmin } from '../../e2e/support/webhook-receiver.ts';
import { openDatabase } from '../../server/data/folder.ts';
import { drainWebhooks, findings, lostTokens, stillReadable, type Finding } from './checks.ts';
import { newLedger, type Ledger } from './ledger.ts';
import type { Venue } from './venue.ts';
import { visit } from './visits.ts';
import { drawVisitor } from './visitor.ts';

export type SoakOptions = {
  durationMs: number;
  /** Mean; each interval is drawn within a quarter around it, so that kills meet every moment of a visit. */
  killEveryMs: number;
  visitorsPerMinute: number;
  seed: number;
  /** The people at the camera. Without them the face engine, which takes most of a start, is left out. */
  people: readonly Clips[];
  /** One webhook in this many is refused with 500 at its first attempt and repeated a minute later; 0 for none. */
  refuseOneIn: number;
  onKill?: (kills: number, ledger: Ledger) => void;
};

export type SoakReport = Pick<Ledger, 'faults' | 'interrupted' | 'captures'> & {
  visitors: number;
  /** Who found the venue full and left: the machine is slower than the visitors come. */
  turnedAway: number;
  kills: number;
  /** From the start of the process to ready, each; starts that failed before included. */
  restartsMs: number[];
  /** Why a start failed that was made again, as a service manager does. */
  failedStarts: string[];
  deliveries: number;
  findings: Finding[];
  auditEntries: number;
  databaseBytes: number;
};

/** Visits at once; more wait for no use where the machine is slower. */
const ROOM = 40;
/** Visitors, their pictures and a start share the machine, perhaps with other work. */
const READY_TIMEOUT_MS = 180_000;
/** A start fails where the face engine gets too little of a busy processor. */
const MOST_STARTS = 3;
const NO_MODELS = path.join(import.meta.dirname, 'no-models');
const KILL_JITTER = 0.25;

export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const receiver = await startWebhookReceiver();
  if (options.refuseOneIn > 0) refuseSome(receiver, options.refuseOneIn);
  let gatehouse: Gatehouse;
  try {
    gatehouse = await startGatehouse({
      env: {
        GATEHOUSE_WEBHOOK_ALLOW_HOSTS: '127.0.0.1',
        ...(options.people.length === 0 && { GATEHOUSE_MODEL_DIR: NO_MODELS }),
      },
      readyTimeoutMs: READY_TIMEOUT_MS,
    });
  } catch (error) {
    await receiver.close();
    throw error;
  }
  try {
    await webhookAdmin(gatehouse, gatehouse.company.keys.ak_test).save(receiver.url);
    return await soak(gatehouse, receiver, options);
  } finally {
    await gatehouse.stop();
    await receiver.close();
  }
}

type Receiver = Awaited<ReturnType<typeof startWebhookReceiver>>;

function refuseSome(receiver: Receiver, oneIn: number): void {
  receiver.answerWith((delivered) => {
    const isFirst = receiver.count(delivered.transactionId) === 1;
    if (isFirst && receiver.delivered.length % oneIn === 0) delivered.response.writeHead(500).end();
    else void ok(delivered);
  });
}

async function soak(gatehouse: Gatehouse, receiver: Receiver, options: SoakOptions): Promise<SoakReport> {
  const { durationMs, killEveryMs, visitorsPerMinute, seed, people } = options;
  const ledger = newLedger();
  let running: Promise<unknown> = Promise.resolve();
  const venue: Venue = { gatehouse, ledger, people, running: () => running };
  const killing = randomOf(seed + 1);
  const endMs = Date.now() + durationMs;
  const arrivals = welcome(venue, { endMs, everyMs: 60_000 / visitorsPerMinute, seed });

  const restartsMs: number[] = [];
  const failedStarts: string[] = [];
  const lost: string[] = [];
  for (;;) {
    const waitMs = killEveryMs * killing.between(1 - KILL_JITTER, 1 + KILL_JITTER);
    if (Date.now() + waitMs > endMs) break;
    await sleep(waitMs);
    const restarted = Promise.withResolvers<null>();
    running = restarted.promise;
    await gatehouse.kill9();
    const startMs = performance.now();
    failedStarts.push(...(await restart(gatehouse)));
    restartsMs.push(performance.now() - startMs);
    restarted.resolve(null);
    lost.push(...(await lostTokens(venue, ledger.verdicts.slice(-ROOM))));
    options.onKill?.(restartsMs.length, ledger);
  }
  const { visitors, turnedAway } = await arrivals;
  const recent = stillReadable(ledger.verdicts, Date.now());
  lost.push(...(await lostTokens(venue, recent)));
  const tokens = { what: 'result tokens', acknowledged: recent.length, lost };
  const rows = await atTheEnd(gatehouse, ledger, receiver);
  const { entries } = await gatehouse.cli<{ entries: number }>(['audit', 'verify']);
  return {
    visitors,
    turnedAway,
    kills: restartsMs.length,
    restartsMs,
    failedStarts,
    deliveries: receiver.delivered.length,
    findings: [...rows, tokens],
    auditEntries: entries,
    databaseBytes: statSync(path.join(gatehouse.dataDir, 'gatehouse.db')).size,
    faults: ledger.faults,
    interrupted: ledger.interrupted,
    captures: ledger.captures,
  };
}

/** Starts it, again where that fails. @returns why starts failed @throws where none succeeds */
async function restart(gatehouse: Gatehouse): Promise<string[]> {
  const failures: string[] = [];
  while (failures.length < MOST_STARTS - 1) {
    try {
      await gatehouse.restart();
      return failures;
    } catch (error) {
      failures.push(String(error));
    }
  }
  await gatehouse.restart();
  return failures;
}

/** Lets visitors in until the end; resolves when the last has left. */
async function welcome(
  venue: Venue,
  { endMs, everyMs, seed }: { endMs: number; everyMs: number; seed: number },
) {
  const drawing = randomOf(seed);
  const inside = new Set<Promise<void>>();
  let visitors = 0;
  let turnedAway = 0;
  while (Date.now() < endMs) {
    const visitor = drawVisitor(drawing, visitors + turnedAway, venue.people.length > 0);
    if (inside.size < ROOM) {
      visitors += 1;
      const visiting = visit(venue, visitor).finally(() => inside.delete(visiting));
      inside.add(visiting);
    } else turnedAway += 1;
    await sleep(everyMs * drawing.between(0, 2));
  }
  await Promise.all(inside);
  return { visitors, turnedAway };
}

async function atTheEnd(gatehouse: Gatehouse, ledger: Ledger, receiver: Receiver): Promise<Finding[]> {
  const db = await openDatabase(gatehouse.dataDir);
  try {
    await drainWebhooks(db);
    // Once more without warning: the rows are those that are on the disk.
    await gatehouse.kill9();
    const damage = await db.all<{ integrity_check: string }>('PRAGMA integrity_check');
    const isWhole = damage.length === 1 && damage[0]?.integrity_check === 'ok';
    return [
      ...(await findings(db, ledger, receiver)),
      { what: 'pages of the database', acknowledged: 1, lost: isWhole ? [] : [JSON.stringify(damage)] },
    ];
  } finally {
    await db.close();
  }
}
