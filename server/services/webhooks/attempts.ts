/** The attempts that this process makes. */
import type { UnderWay } from '../../domain/webhooks/fair-share.ts';

/** How long attempts in progress may take when the server stops. */
const DRAIN_MS = 5_000;

export type Attempts<C> = {
  start(claim: C, of: UnderWay): void;
  underWay(): UnderWay[];
  has(transactionId: string): boolean;
  /** Resolves once the running attempts have ended and are recorded. */
  idle(): Promise<void>;
  /** Gives attempts in progress time to finish, then aborts the rest. */
  end(): Promise<void>;
};

/** @param onEnd called after each attempt: its slot is free */
export function createAttempts<C extends { transactionId: string }>(
  attempt: (claim: C, signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
  onEnd: () => void,
): Attempts<C> {
  const running = new Map<string, UnderWay & { ended: Promise<void> }>();
  const stopping = new AbortController();

  const idle = async () => {
    while (running.size > 0) await Promise.all([...running.values()].map(({ ended }) => ended));
  };

  return {
    start(claim, of) {
      const ended = attempt(claim, stopping.signal)
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
