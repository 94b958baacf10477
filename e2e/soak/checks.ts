/** Checks everything that was acknowledged: on the running server, and in its database at the end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { confirmation } from '../support/run.ts';
import { COMPLETED, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { TOKEN_LIFETIME_MS } from '../../server/services/passes/confirmations.ts';
import type { SqlReader } from '../../server/store/sql/port.ts';
import { saysTheSame, type Ledger, type Verdict } from './ledger.ts';
import { patiently, type Venue } from './venue.ts';

/** How many of a kind were acknowledged, and the faults of the lost ones. */
export type Finding = { what: string; acknowledged: number; lost: string[] };

/** An attempt that a receiver refused is repeated a minute later; a claim of a killed server expires after 25 s. */
const DRAIN_MS = 120_000;
const LOOK_MS = 500;

/** A token ends 30 minutes after its run; reading all of them takes a while. */
const TOKEN_READ_MS = TOKEN_LIFETIME_MS - 60_000;

/** Verdicts whose tokens can still be read; older ones are looked up in the database. */
export const stillReadable = (verdicts: readonly Verdict[], nowMs: number): Verdict[] =>
  verdicts.filter(({ settledAtMs }) => nowMs - settledAtMs < TOKEN_READ_MS);

/** Reads result tokens as the organiser does. Returns those that are missing or changed. */
export async function lostTokens(venue: Venue, verdicts: readonly Verdict[]): Promise<string[]> {
  const lost: string[] = [];
  for (const verdict of verdicts) {
    const { sessionId, vyt, key } = verdict;
    try {
      const told = await patiently(venue, () => confirmation(venue.gatehouse, key, vyt));
      if (!saysTheSame(verdict, told)) lost.push(`${sessionId} says ${JSON.stringify(told)}`);
    } catch (error) {
      lost.push(`the token of ${sessionId}: ${String(error)}`);
    }
  }
  return lost;
}

/** Waits until every webhook call has ended, up to a limit. */
export async function drainWebhooks(db: SqlReader): Promise<void> {
  const deadlineMs = Date.now() + DRAIN_MS;
  const pending = () => db.one("SELECT 1 FROM webhook_calls WHERE status = 'PENDING' LIMIT 1");
  while ((await pending()) !== undefined && Date.now() < deadlineMs) await sleep(LOOK_MS);
}

/** Compares everything in the ledger with the rows. */
export async function findings(
  db: SqlReader,
  { sessions, verdicts, approvals }: Ledger,
  receiver: WebhookReceiver,
): Promise<Finding[]> {
  const ids = new Set((await db.all<{ id: string }>('SELECT id FROM sessions')).map(({ id }) => id));
  const locks = verdicts.filter(({ locked }) => locked);
  const passes = await passesBySession(db);
  return [
    {
      what: 'sessions',
      acknowledged: sessions.size,
      lost: [...sessions].filter((id) => !ids.has(id)),
    },
    {
      what: 'verdicts',
      acknowledged: verdicts.length,
      lost: verdicts.filter((verdict) => !isKept(verdict, passes)).map(({ sessionId }) => sessionId),
    },
    {
      what: 'locks',
      acknowledged: locks.length,
      lost: locks
        .filter(({ sessionId }) => (passes.get(sessionId)?.lockedAt ?? null) === null)
        .map(({ sessionId }) => sessionId),
    },
    await letInTwice(db),
    { what: 'webhooks', acknowledged: approvals.size, lost: await lostWebhooks(db, approvals, receiver) },
  ];
}

/** Each guest has a pool of their own, also those who come with two accounts. */
async function letInTwice(db: SqlReader): Promise<Finding> {
  const pools = await db.all<{ name: string; admitted: number }>(
    `SELECT group_id AS name, COUNT(*) AS admitted FROM passes
     WHERE status = 'approved' AND group_id IS NOT NULL GROUP BY group_id`,
  );
  const twice = pools.filter(({ admitted }) => admitted > 1);
  return { what: 'admitted once', acknowledged: pools.length, lost: twice.map(({ name }) => name) };
}

type Pass = { sessionId: string; status: Verdict['status']; reasons: string; lockedAt: number | null };

async function passesBySession(db: SqlReader): Promise<Map<string, Pass>> {
  const passes = await db.all<Pass>(
    'SELECT session_id AS sessionId, status, reasons, locked_at AS lockedAt FROM passes',
  );
  return new Map(passes.map((pass) => [pass.sessionId, pass]));
}

function isKept(verdict: Verdict, passes: ReadonlyMap<string, Pass>): boolean {
  const pass = passes.get(verdict.sessionId);
  return (
    pass !== undefined &&
    saysTheSame(verdict, {
      status: pass.status,
      reasons: JSON.parse(pass.reasons) as string[],
      locked: pass.lockedAt !== null,
    })
  );
}

type Told = { transaction_id: string; type: string; reference_user_id: string };

/**
 * Each approval is announced at least once, always under one ID and in the same bytes; the server knows each call, and
 * none is left.
 */
async function lostWebhooks(
  db: SqlReader,
  approvals: ReadonlySet<string>,
  { delivered }: WebhookReceiver,
): Promise<string[]> {
  const wrong: string[] = [];
  const idOf = new Map<string, string>();
  const bytesOf = new Map<string, Buffer>();
  for (const { raw } of delivered) {
    const { transaction_id: id, type, reference_user_id: user } = JSON.parse(raw.toString()) as Told;
    if (type !== COMPLETED) continue;
    const firstId = idOf.get(user) ?? id;
    idOf.set(user, firstId);
    if (firstId !== id) wrong.push(`${user} was told of under ${firstId} and ${id}`);
    const firstBytes = bytesOf.get(id) ?? raw;
    bytesOf.set(id, firstBytes);
    if (!firstBytes.equals(raw)) wrong.push(`${id} came in different bytes`);
  }
  for (const user of approvals) if (!idOf.has(user)) wrong.push(`nobody was told of ${user}`);
  const calls = await db.all<{ id: string; status: string }>(
    'SELECT transaction_id AS id, status FROM webhook_calls',
  );
  const known = new Set(calls.map(({ id }) => id));
  for (const id of bytesOf.keys()) if (!known.has(id)) wrong.push(`the server does not know of ${id}`);
  for (const { id, status } of calls) if (status !== 'COMPLETED') wrong.push(`${id} is ${status}`);
  return wrong;
}
