/**
 * Sends the calls in an outbox: of webhooks, or to sources of tickets. Several processes may share a database: a call is claimed
 * before it is sent, and a claim that its owner did not end is taken over. Each receiver has its own slots, so a receiver that hangs doesn't delay the others.
 */
import { randomUUID } from 'node:crypto';
import { shareSlots, SLOTS, SLOTS_PER_DESTINATION } from '../../domain/webhooks/fair-share.ts';
import { SLOW_LOOK_MS } from '../../store/sql/followers.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Database, SqlReader, SqlTx, Topic } from '../../store/sql/port.ts';
import type { DueDestination } from '../../store/webhooks/outbox.ts';
import type { Clock } from '../ports/clock.ts';
import { inTurns } from '../ports/turns.ts';
import { createAttempts } from './attempts.ts';
import { ATTEMPT_LIMIT_MS } from './send.ts';

/** Longer than an attempt may take, so that no claim is taken over while its call is being sent. */
export const LEASE_MS = ATTEMPT_LIMIT_MS + 10_000;
/** A smaller difference is ordinary trimming by the time server. */
const CLOCK_SET_BACK_MS = 1_000;

export type OutboxScheduler = {
  /** Claims due calls and starts their attempts. Attempts may still be running when it resolves. */
  poll(): Promise<void>;
  /** Resolves once the running attempts have ended and are recorded. */
  idle(): Promise<void>;
  /** Claims no more calls, gives attempts in progress time to finish, then aborts the rest. */
  close(): Promise<void>;
};

/** A call that one process has claimed for its next attempt. */
type Claimed = { transactionId: string; owner: string; attempts: number; scope: Scope };

/** Calls that wait in the database. Every change of a claim names it, so that it has no effect once another process has ended it. */
export type Outbox<C extends Claimed> = {
  topic: Topic;
  listDue: (
    db: SqlReader,
    of: { nowMs: number; untilMs: number; countUpTo: number },
  ) => Promise<DueDestination[]>;
  claimDue: (
    tx: SqlTx,
    destination: Scope & { origin: string },
    claim: { owner: string; nowMs: number; leaseUntil: number; limit: number },
  ) => Promise<C[]>;
  listClaims: (db: SqlReader) => Promise<C[]>;
  pullForward: (tx: SqlTx, nowMs: number) => Promise<unknown>;
  /** Sends a call and records what came of it. */
  attempt: (claim: C, signal: AbortSignal) => Promise<void>;
  /** An attempt that nobody has recorded: it is unknown whether the receiver got it. */
  recordInterruption: (tx: SqlTx, claim: C, at: number) => Promise<unknown>;
};

export type OutboxOptions = {
  db: Database;
  clock: Clock;
  onError: (error: unknown) => void;
  /** Monotonic time, independent of the clock. */
  steadyNowMs?: () => number;
  /** The caller calls `poll` itself; then commits that queue a call trigger nothing. */
  isManual?: boolean;
};

export function createOutbox<C extends Claimed>(options: OutboxOptions, outbox: Outbox<C>): OutboxScheduler {
  const { db, clock, onError, isManual = false, steadyNowMs = () => performance.now() } = options;
  const owner = randomUUID();
  /** Which of all calls each receiver was sent last. */
  const servedAt = new Map<string, number>();
  let served = 0;
  const staleClaims = watchClaims<C>(LEASE_MS, steadyNowMs);
  const isSetBack = watchSetBack(() => clock.now() - steadyNowMs());
  /** The slow look also looks for what other processes and the clock left behind. */
  let isSlowLook = true;
  let isClosed = false;

  const turns = inTurns(async () => {
    if (isSlowLook) {
      isSlowLook = false;
      await tidy();
    }
    return claimDue();
  }, onError);
  const attempts = createAttempts(outbox.attempt, onError, () => {
    if (!isManual) turns.next();
  });

  /** @returns in how many milliseconds the next call falls due */
  async function claimDue(): Promise<number | undefined> {
    const nowMs = clock.now();
    // The end of an attempt looks again.
    if (isClosed || attempts.underWay().length >= SLOTS) return undefined;
    const untilMs = nowMs + SLOW_LOOK_MS;
    const found = await outbox.listDue(db, { nowMs, untilMs, countUpTo: SLOTS_PER_DESTINATION });
    const waiting = found.map((each) => ({
      ...each,
      key: `${each.companyId} ${each.partition} ${each.origin}`,
    }));
    const shares = shareSlots(waiting, attempts.underWay(), servedAt);
    if (shares.length > 0) {
      const leaseUntil = nowMs + LEASE_MS;
      const claimed = await db.tx(
        async (tx) => {
          const calls: { claim: C; of: (typeof waiting)[number] }[] = [];
          for (const { receiver, limit } of shares)
            for (const claim of await outbox.claimDue(tx, receiver, { owner, nowMs, leaseUntil, limit }))
              calls.push({ claim, of: receiver });
          return calls;
        },
        { companyId: null },
      );
      for (const { claim, of } of claimed) {
        servedAt.set(of.key, (served += 1));
        attempts.start(claim, { key: of.key, isFailing: of.failingSince !== null });
      }
    }
    const nextAt = Math.min(...found.map((each) => each.nextAt ?? Infinity));
    return isManual || nextAt === Infinity ? undefined : nextAt - clock.now();
  }
  /** Frees claims of processes that are gone, and those that this process could not record. */
  async function freeStaleClaims(): Promise<void> {
    const claims = (await outbox.listClaims(db)).filter(({ transactionId }) => !attempts.has(transactionId));
    for (const claim of staleClaims(claims))
      await db.tx((tx) => outbox.recordInterruption(tx, claim, clock.now()), claim.scope);
  }

  async function tidy(): Promise<void> {
    // So that waiting calls are not delayed by it.
    if (isSetBack()) await db.tx((tx) => outbox.pullForward(tx, clock.now()));
    await freeStaleClaims();
  }

  const unfollow = isManual
    ? () => undefined
    : db.follow(outbox.topic, (isNews) => {
        isSlowLook ||= !isNews;
        turns.next();
      });
  if (!isManual) turns.next();

  return {
    poll() {
      isSlowLook = true;
      turns.next();
      return turns.idle();
    },
    idle: () => attempts.idle(),
    async close() {
      isClosed = true;
      unfollow();
      await turns.close();
      await attempts.end();
    },
  };
}

/** Whether the clock was set back since the last call; true at the first. */
function watchSetBack(leadMs: () => number): () => boolean {
  /** What the clock would show if it were never set. */
  let before = Infinity;
  return () => {
    const now = leadMs();
    const isSetBack = now < before - CLOCK_SET_BACK_MS;
    before = now;
    return isSetBack;
  };
}

/**
 * Current claims that have not changed for the whole lease: their process is gone. Their age is measured with this process's
 * monotonic time, so that a clock that jumps neither takes a claim away early nor holds it forever.
 */
function watchClaims<C extends Claimed>(
  leaseMs: number,
  steadyNowMs: () => number,
): (claims: readonly C[]) => C[] {
  let firstSeen = new Map<string, number>();
  return (claims) => {
    const now = steadyNowMs();
    const seen = new Map<string, number>();
    const stale = claims.filter((claim) => {
      const name = `${claim.transactionId} ${claim.owner} ${claim.attempts}`;
      const since = firstSeen.get(name) ?? now;
      seen.set(name, since);
      return now - since >= leaseMs;
    });
    firstSeen = seen;
    return stale;
  };
}
