/**
 * Claims whose process is gone. How long a claim stands still is measured by this process's own steady time, not by
 * the clock that people and time servers set: a clock that leaps neither takes a claim away early nor holds it for ever.
 */
import type { Claim } from '../../store/webhooks/outbox.ts';

export type StaleClaims = {
  /** Claims, of those there are now, that have stood still for the whole lease. */
  find(claims: readonly Claim[]): Claim[];
};

/** @param steadyNowMs time that only ever goes on, such as `performance.now` */
export function watchClaims(leaseMs: number, steadyNowMs: () => number): StaleClaims {
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
