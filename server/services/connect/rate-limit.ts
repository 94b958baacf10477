/** How often an address may call without a key (contract, "Limits"): a sliding window, in memory, bounded in size. */
import { placeOf } from '../../domain/address.ts';

export type RateLimitOptions = {
  limit: number;
  windowMs: number;
  /** Addresses remembered at once; beyond it the one heard of longest ago is forgotten. */
  maxAddresses: number;
};

export const UNAUTHENTICATED_V2: RateLimitOptions = { limit: 5, windowMs: 60_000, maxAddresses: 20_000 };

export type RateLimiter = {
  /** Counts a call. Null if it is allowed, else the milliseconds until the next one is. */
  count(address: string, nowMs: number): number | null;
};

export function createRateLimiter({ limit, windowMs, maxAddresses }: RateLimitOptions): RateLimiter {
  const calls = new Map<string, number[]>();
  return {
    count(address, nowMs) {
      const who = placeOf(address);
      // A clock that was set back must not lock anyone out until it has caught up.
      const recent = (calls.get(who) ?? []).filter((at) => at <= nowMs && nowMs - at < windowMs);
      const [oldest] = recent;
      const isFull = recent.length >= limit && oldest !== undefined;
      // Refused calls are not counted: who keeps asking is let in again as the window slides.
      calls.delete(who);
      calls.set(who, isFull ? recent : [...recent, nowMs]);
      if (calls.size > maxAddresses) {
        const [longestAgo = who] = calls.keys();
        calls.delete(longestAgo);
      }
      return isFull ? oldest + windowMs - nowMs : null;
    },
  };
}
