/** The attempts that this process makes: prepare, send, record. */
import type { UnderWay } from '../../domain/webhooks/fair-share.ts';
import type { Database } from '../../store/sql/port.ts';
import { listWebhookSecrets } from '../../store/webhooks/configs.ts';
import type { Claim } from '../../store/webhooks/outbox.ts';
import type { Clock } from '../ports/clock.ts';
import { recordEnd, recordInterruption } from './record.ts';
import { mayBeLoopback } from './refusals.ts';
import type { SendRequest, SendResult } from './send.ts';
import { signatureHeaders } from './sign.ts';

/** How long attempts in progress may take when the server stops. */
const DRAIN_MS = 5_000;

export type AttemptPorts = {
  db: Database;
  clock: Clock;
  /** One attempt; never rejects. */
  send: (request: SendRequest, signal: AbortSignal) => Promise<SendResult>;
  onError: (error: unknown) => void;
  /** Uniform in [0, 1). */
  random?: () => number;
};

export type Attempts = {
  start(claim: Claim, of: UnderWay): void;
  underWay(): UnderWay[];
  has(transactionId: string): boolean;
  /** Resolves once the running attempts have ended and are recorded. */
  idle(): Promise<void>;
  /** Gives attempts in progress time to finish, then aborts the rest. */
  end(): Promise<void>;
};

/** @param onEnd called after each attempt: its slot is free */
export function createAttempts(
  { db, clock, send, onError, random = Math.random }: AttemptPorts,
  onEnd: () => void,
): Attempts {
  const running = new Map<string, UnderWay & { ended: Promise<void> }>();
  const stopping = new AbortController();

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

  const idle = async () => {
    while (running.size > 0) await Promise.all([...running.values()].map(({ ended }) => ended));
  };

  return {
    start(claim, of) {
      const ended = attempt(claim)
        .catch(onError)
        .finally(() => {
          running.delete(claim.transactionId);
          onEnd();
        });
      running.set(claim.transactionId, { ...of, ended });
    },
    underWay: () => [...running.values()],
    has: (transactionId) => running.has(transactionId),
    idle,
    async end() {
      const cutOff = setTimeout(() => stopping.abort(), DRAIN_MS);
      await idle();
      clearTimeout(cutOff);
    },
  };
}
