import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hmacSha256 } from './hmac.ts';

describe('HMAC-SHA-256 (RFC 2104)', () => {
  it.each([0, 1, 32, 63, 64, 65, 200])('agrees with the platform for a key of %i bytes', (length) => {
    const key = randomBytes(length);
    const mac = hmacSha256(key);
    for (const size of [0, 1, 23, 64, 1_000]) {
      const message = randomBytes(size);
      expect(mac(message)).toEqual(createHmac('sha256', key).update(message).digest());
    }
  });
});
