/**
 * A venue's day at speed: guests arrive, and servers are killed (SIGKILL) again and again. At the end nothing that was
 * acknowledged may be lost, nobody may be let in twice, and no webhook call may have two IDs.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomOf } from '../../testing/camera/capture/random.ts';
import type { Clips } from '../../testing/camera/clips.ts';
import { ok, startWebhookReceiver, webhookAdmin, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { drainWebhooks, findings, lostTokens, stillReadable, type Finding } from './checks.ts';
import { newLedger, type Ledger } from './ledger.ts';
import { startNodes } from './nodes.ts';
import { type Kill, type Site, startServer } from './site.ts';
import type { Venue } from './venue.ts';
import { visit } from './visits.ts';
import { drawGuest } from './guest.ts';

type SoakOptions = {
  durationMs: number;
  /** It takes longer than `durationMs` where starts are so slow that fewer were killed. */
  leastKills: number;
  /** Mean; each interval varies by a quarter, so that kills hit every moment of a visit. */
  killEveryMs: number;
  guestsPerMinute: number;
  seed: number;
  /** Nodes on PostgreSQL with a standby; 0 for one server with its own database. */
  nodes: number;
  /** The people at the camera. Without them the face engine, which takes most of a start, is left out. */
  people: readonly Clips[];
  /** One webhook in this many is refused with 500 at its first attempt and repeated a minute later; 0 for none. */
  refuseOneIn: number;
  onKill?: (kill: Kill, ledger: Ledger) => void;
};

type SoakReport = Pick<Ledger, 'faults' | 'interrupted' | 'captures'> & {
  guests: number;
  /** Guests who left because the venue was full: the machine is slower than they arrive. */
  turnedAway: number;
  kills: Kill[];
  deliveries: number;
  findings: Finding[];
  auditEntries: number;
};

/** Concurrent visits; on a slower machine more would only wait. */
const ROOM = 40;
const NO_MODELS = path.join(import.meta.dirname, 'no-models');
const KILL_JITTER = 0.25;

export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const receiver = await startWebhookReceiver();
  if (options.refuseOneIn > 0) refuseSome(receiver, options.refuseOneIn);
  const env = {
    GATEHOUSE_WEBHOOK_ALLOW_HOSTS: '127.0.0.1',
    ...(options.people.length === 0 && { GATEHOUSE_MODEL_DIR: NO_MODELS }),
  };
  let site: Site;
  try {
    site = await (options.nodes === 0 ? startServer(env) : startNodes(options.nodes, env));
  } catch (error) {
    await receiver.close();
    throw error;
  }
  try {
    await webhookAdmin(site, site.company.keys.ak_test).save(receiver.url);
    return await soak(site, receiver, options);
  } finally {
    await site.stop();
    await receiver.close();
  }
}

function refuseSome(receiver: WebhookReceiver, oneIn: number): void {
  receiver.answerWith((delivered) => {
    const isFirst = receiver.count(delivered.transactionId) === 1;
    if (isFirst && receiver.delivered.length % oneIn === 0) delivered.response.writeHead(500).end();
    else void ok(delivered);
  });
}

async function soak(site: Site, receiver: WebhookReceiver, options: SoakOptions): Promise<SoakReport> {
  const { durationMs, leastKills, killEveryMs, guestsPerMinute, seed, people } = options;
  const ledger = newLedger();
  const venue: Venue = { gatehouse: site, ledger, people };
  const killing = randomOf(seed + 1);
  const endMs = Date.now() + durationMs;
  const kills: Kill[] = [];
  const isOver = (nowMs: number) => nowMs > endMs && kills.length >= leastKills;
  const arrivals = welcome(venue, { isOver, everyMs: 60_000 / guestsPerMinute, seed });

  const lost: string[] = [];
  for (;;) {
    const waitMs = killEveryMs * killing.between(1 - KILL_JITTER, 1 + KILL_JITTER);
    if (isOver(Date.now() + waitMs)) break;
    await sleep(waitMs);
    const kill = await site.kill(killing, Date.now() > endMs - durationMs / 2);
    kills.push(kill);
    lost.push(...(await lostTokens(venue, ledger.verdicts.slice(-ROOM))));
    options.onKill?.(kill, ledger);
  }
  const { guests, turnedAway } = await arrivals;
  const recent = stillReadable(ledger.verdicts, Date.now());
  lost.push(...(await lostTokens(venue, recent)));
  const tokens = { what: 'result tokens', acknowledged: recent.length, lost };
  const rows = await atTheEnd(site, ledger, receiver);
  const { entries } = await site.cli<{ entries: number }>(['audit', 'verify']);
  return {
    guests,
    turnedAway,
    kills,
    deliveries: receiver.delivered.length,
    findings: [...rows, tokens],
    auditEntries: entries,
    faults: ledger.faults,
    interrupted: ledger.interrupted,
    captures: ledger.captures,
  };
}

/** Admits guests until the end; resolves when the last has left. */
async function welcome(
  venue: Venue,
  { isOver, everyMs, seed }: { isOver: (nowMs: number) => boolean; everyMs: number; seed: number },
) {
  const drawing = randomOf(seed);
  const inside = new Set<Promise<void>>();
  let guests = 0;
  let turnedAway = 0;
  while (!isOver(Date.now())) {
    const guest = drawGuest(drawing, guests + turnedAway, venue.people.length > 0);
    if (inside.size < ROOM) {
      guests += 1;
      const visiting = visit(venue, guest).finally(() => inside.delete(visiting));
      inside.add(visiting);
    } else turnedAway += 1;
    await sleep(everyMs * drawing.between(0, 2));
  }
  await Promise.all(inside);
  return { guests, turnedAway };
}

async function atTheEnd(site: Site, ledger: Ledger, receiver: WebhookReceiver): Promise<Finding[]> {
  const db = await site.openDatabase();
  try {
    await drainWebhooks(db);
    const damage = await site.end(db);
    return [
      ...(await findings(db, ledger, receiver)),
      { what: 'database files', acknowledged: 1, lost: damage },
    ];
  } finally {
    await db.close();
  }
}
