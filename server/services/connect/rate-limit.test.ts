import { describe, expect, test } from 'vitest';
import { createRateLimiter } from './rate-limit.ts';

const OPTIONS = { limit: 2, windowMs: 1_000, maxAddresses: 3 };
const A = '203.0.113.1';

describe('contract, "Limits": calls without a key', () => {
  test('so many in a window, then the time until the oldest leaves it', () => {
    const limiter = createRateLimiter(OPTIONS);
    expect([limiter.count(A, 0), limiter.count(A, 400), limiter.count(A, 500)]).toEqual([null, null, 500]);
  });

  test('the window slides, and refused calls are not counted', () => {
    const limiter = createRateLimiter(OPTIONS);
    const at = (ms: number) => limiter.count(A, ms);
    expect([at(0), at(900), at(950), at(999), at(1_000), at(1_001), at(1_900)]).toEqual([
      null,
      null,
      50,
      1,
      null,
      899,
      null,
    ]);
  });

  test('each address has its own', () => {
    const limiter = createRateLimiter({ ...OPTIONS, limit: 1 });
    expect([limiter.count(A, 0), limiter.count('203.0.113.2', 0), limiter.count(A, 0)]).toEqual([
      null,
      null,
      1_000,
    ]);
  });

  test('an IPv6 network is one address, and IPv4 inside IPv6 is IPv4', () => {
    const limiter = createRateLimiter({ ...OPTIONS, limit: 1 });
    const refused = (address: string) => limiter.count(address, 0) !== null;
    expect([refused('2001:db8:1:2::1'), refused('2001:db8:1:2:ffff::9'), refused('2001:db8:1:3::1')]).toEqual(
      [false, true, false],
    );
    expect([refused(A), refused(`::ffff:${A}`)]).toEqual([false, true]);
  });

  test('it never remembers more addresses than it may; the one heard of longest ago goes first', () => {
    const limiter = createRateLimiter({ ...OPTIONS, limit: 1 });
    for (const host of [1, 2, 3]) limiter.count(`203.0.113.${host}`, 0);
    expect(limiter.count('203.0.113.1', 1)).toBe(999);
    limiter.count('203.0.113.4', 2);
    expect(limiter.count('203.0.113.1', 3)).toBe(997);
    expect(limiter.count('203.0.113.2', 3)).toBeNull();
  });

  test('a clock that was set back locks nobody out', () => {
    const limiter = createRateLimiter({ ...OPTIONS, limit: 1 });
    limiter.count(A, 1_000_000);
    expect(limiter.count(A, 0)).toBeNull();
  });
});
