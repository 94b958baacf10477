/**
 * Sends the calls in the outbox. Several processes may share a database: a call is claimed before it is sent, and a
 * claim that its owner did not end is taken over. Each receiver has its own slots, so a receiver that hangs doesn't delay the others.
 */
import { randomUUID } from 'node:crypto';
import { dealSlots } from '../../domain/webhooks/fair-share.ts';
import { SLOW_LOOK_MS } from '../../store/sql/followers.ts';
import type { Database } from '../../store/sql/port.ts';
import { listWebhookSecrets } from '../../store/webhooks/configs.ts';
import {
  type Claim,
  claimDueCalls,
  type DueDestination,
  listClaims,
  listDueDestinations,
  pullForward,
} from '../../store/webhooks/outbox.ts';
import type { Clock } from '../ports/clock.ts';
import { failureText } from './failure-message.ts';
import { recordEnd, recordInterruption } from './record.ts';
import { mayBeLoopback } from './refusals.ts';
import { signatureHeaders } from './sign.ts';
import { ATTEMPT_LIMIT_MS, type SendRequest, type SendResult } from './send.ts';

/** Attempts in progress at once, of this process. */
const SLOTS = 64;
/** How many of them receivers that failed last time may use together. */
const FAILING_SLOTS = SLOTS / 2;
const SLOTS_PER_DESTINATION = 4;
/** A receiver that failed last time gets one call at a time until one succeeds. */
const SLOTS_WHEN_FAILING = 1;
/** Longer than an attempt may take, so that no claim is taken over while its call is being sent. */
export const LEASE_MS = ATTEMPT_LIMIT_MS + 10_000;
/** A timer may end a moment before the clock shows its time. */
const SHORTEST_MS = 10;
/** How long attempts in progress may take when the server stops. */
const DRAIN_MS = 5_000;
/** A smaller difference is ordinary trimming by the time server. */
const CLOCK_SET_BACK_MS = 1_000;

export type WebhookScheduler = {
  /** Claims due calls and starts their attempts. Attempts may still be running when it resolves. */
  poll(): Promise<void>;
  /** Resolves once the running attempts have ended and are recorded. */
  idle(): Promise<void>;
  /** Claims no more calls, gives attempts in progress time to finish, then aborts the rest. */
  close(): Promise<void>;
};

export type SchedulerOptions = {
  db: Database;
  clock: Clock;
  /** One attempt; never rejects. */
  send: (request: SendRequest, signal: AbortSignal) => Promise<SendResult>;
  onError: (error: unknown) => void;
  /** Uniform in [0, 1). */
  random?: () => number;
  /** Monotonic time, independent of the clock. */
  steadyNowMs?: () => number;
  /** The caller calls `poll` itself; then commits that queue a call trigger nothing. */
  isManual?: boolean;
};

type Destination = DueDestination & { key: string; wants: number };

const keyOf = ({ companyId, partition, origin }: { companyId: string; partition: string; origin: string }) =>
  `${companyId} ${partition} ${origin}`;

export function createWebhookScheduler(options: SchedulerOptions): WebhookScheduler {
  const { db, clock, send, onError, random = Math.random, isManual = false } = options;
  const steadyNowMs = options.steadyNowMs ?? (() => performance.now());
  const owner = randomUUID();
  const underWay = new Map<string, { destination: string; isFailing: boolean; ended: Promise<void> }>();
  const servedAt = new Map<string, number>();
  const staleClaims = watchClaims(LEASE_MS, steadyNowMs);
  const stopping = new AbortController();
  /** What the clock would show if it were never set. */
  let clockLead: number | null = null;
  let turn = 0;
  let isClosed = false;
  let claiming: Promise<void> | null = null;
  let wokenAgain = false;
  let falling: NodeJS.Timeout | undefined;

  const slotsOf = (key: string) =>
    [...underWay.values()].filter(({ destination }) => destination === key).length;

  /** The receivers to serve, longest waiting first, with the slots each could use. */
  function eligibleDestinations(due: readonly DueDestination[]): Destination[] {
    return due
      .map((destination) => {
        const key = keyOf(destination);
        const slots = destination.failingSince === null ? SLOTS_PER_DESTINATION : SLOTS_WHEN_FAILING;
        return { ...destination, key, wants: Math.min(destination.due, slots - slotsOf(key)) };
      })
      .filter(({ wants }) => wants > 0)
      .sort((a, b) => (servedAt.get(a.key) ?? 0) - (servedAt.get(b.key) ?? 0));
  }

  async function claimDue(): Promise<void> {
    const nowMs = clock.now();
    const freeSlots = SLOTS - underWay.size;
    if (isClosed || freeSlots === 0) return;
    const untilMs = nowMs + SLOW_LOOK_MS;
    const found = await listDueDestinations(db, { nowMs, untilMs, countUpTo: SLOTS_PER_DESTINATION });
    wakeAt(Math.min(...found.map(({ nextAt }) => nextAt ?? Infinity)));
    const eligible = eligibleDestinations(found);
    if (eligible.length === 0) return;
    const failing = [...underWay.values()].filter(({ isFailing }) => isFailing).length;
    const dealt = dealSlots(
      eligible.map(({ wants, failingSince }) => ({ wants, isFailing: failingSince !== null })),
      { freeSlots, failingSlots: FAILING_SLOTS - failing },
    );
    const served = eligible.map((destination, index) => ({ ...destination, limit: dealt[index] ?? 0 }));
    const claims = await db.tx(
      async (tx) => {
        const leaseUntil = nowMs + LEASE_MS;
        const claimed: { claim: Claim; destination: Destination }[] = [];
        for (const { limit, ...destination } of served) {
          if (limit === 0) continue;
          const calls = await claimDueCalls(tx, destination, { owner, nowMs, leaseUntil, limit });
          claimed.push(...calls.map((claim) => ({ claim, destination })));
        }
        return claimed;
      },
      { companyId: null },
    );
    for (const { claim, destination } of claims) {
      servedAt.set(destination.key, (turn += 1));
      start(claim, destination);
    }
  }

  function start(claim: Claim, { key, failingSince }: Destination): void {
    const ended = attempt(claim)
      .catch(onError)
      .finally(() => {
        underWay.delete(claim.transactionId);
        wake();
      });
    underWay.set(claim.transactionId, { destination: key, isFailing: failingSince !== null, ended });
  }

  async function attempt(claim: Claim): Promise<void> {
    const secrets = await listWebhookSecrets(db, claim.scope, claim.lineageId);
    const request = {
      url: claim.destinationUrl,
      body: claim.body,
      headers: signatureHeaders(claim, secrets, clock.now()),
      mayBeLoopback: mayBeLoopback(claim),
    };
    const result = await send(request, stopping.signal);
    await db.tx(
      (tx) =>
        stopping.signal.aborted && result.httpStatus === null
          ? recordInterruption(tx, claim, result, clock.now())
          : recordEnd(tx, claim, result, { at: clock.now(), random: random() }),
      claim.scope,
    );
  }

  /** Frees claims of processes that are gone, and those that this process could not record. */
  async function freeStaleClaims(): Promise<void> {
    const claims = (await listClaims(db)).filter(({ transactionId }) => !underWay.has(transactionId));
    const stale = staleClaims.find(claims);
    if (stale.length === 0) return;
    const interruption = {
      networkFailure: failureText('STOPPED'),
      durationMs: 0,
    };
    for (const claim of stale) {
      await db.tx((tx) => recordInterruption(tx, claim, interruption, clock.now()), claim.scope);
    }
  }

  /** At the start and after the clock was set back, so that waiting calls are not delayed by it. */
  async function undoSetBack(): Promise<void> {
    const lead = clock.now() - steadyNowMs();
    const isSetBack = clockLead === null || lead < clockLead - CLOCK_SET_BACK_MS;
    clockLead = lead;
    if (isSetBack) await db.tx((tx) => pullForward(tx, clock.now()));
  }

  async function poll(): Promise<void> {
    await undoSetBack();
    await freeStaleClaims();
    await claimOnce();
  }

  /** One at a time, because two polls would hand out the same slots. */
  async function claimOnce(): Promise<void> {
    while (claiming) await claiming;
    claiming = claimDue().finally(() => {
      claiming = null;
      if (!wokenAgain) return;
      wokenAgain = false;
      wake();
    });
    await claiming;
  }

  /** For a call that falls due before the next slow look. */
  function wakeAt(atMs: number): void {
    clearTimeout(falling);
    if (!isManual && atMs !== Infinity && !isClosed)
      falling = setTimeout(wake, Math.max(atMs - clock.now(), SHORTEST_MS)).unref();
  }

  function wake(): void {
    if (isClosed || isManual) return;
    if (claiming) wokenAgain = true;
    else claimOnce().catch(onError);
  }

  let polling: Promise<void> | null = null;
  const pollNow = () => {
    polling ??= poll()
      .catch(onError)
      .finally(() => {
        polling = null;
      });
  };
  const unfollow = isManual
    ? () => undefined
    : db.follow('webhooks', (isNews) => (isNews ? wake() : pollNow()));
  if (!isManual) pollNow();

  const idle = async () => {
    while (underWay.size > 0) await Promise.all([...underWay.values()].map(({ ended }) => ended));
  };

  return {
    poll,
    idle,
    async close() {
      isClosed = true;
      unfollow();
      clearTimeout(falling);
      await polling;
      await claiming?.catch(() => undefined);
      const cutOff = setTimeout(() => stopping.abort(), DRAIN_MS);
      await idle();
      clearTimeout(cutOff);
    },
  };
}

// Claims whose process is gone. Their age is measured with this process's monotonic time, so that a clock that
// jumps neither takes a claim away early nor holds it forever.

type StaleClaims = {
  /** Current claims that have not changed for the whole lease. */
  find(claims: readonly Claim[]): Claim[];
};

/** @param steadyNowMs monotonic time, such as `performance.now` */
function watchClaims(leaseMs: number, steadyNowMs: () => number): StaleClaims {
  let firstSeen = new Map<string, number>();
  return {
    find(claims) {
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
    },
  };
}
