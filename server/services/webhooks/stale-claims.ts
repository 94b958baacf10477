/**
 * Claims whose process is gone. Their age is measured with this process's monotonic time, so that a clock that jumps
 * neither takes a claim away early nor holds it forever.
 */
import type { Claim } from '../../store/webhooks/outbox.ts';

export type StaleClaims = {
  /** Current claims that have not changed for the whole lease. */
  find(claims: readonly Claim[]): Claim[];
};

/** @param steadyNowMs monotonic time, such as `performance.now` */
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
