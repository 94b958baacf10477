import { expect, it } from 'vitest';
import { hashSecret, verifySecret } from './hashing.ts';

it('a secret is hashed with Argon2id at the cost that OWASP recommends, and only that secret matches', async () => {
  const stored = await hashSecret('four unrelated words');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(stored).not.toBe(await hashSecret('four unrelated words'));
  expect(await verifySecret(stored, 'four unrelated words')).toBe(true);
  expect(await verifySecret(stored, 'four unrelated word')).toBe(false);
});

it('without a stored hash nothing matches, not even the decoy', async () => {
  expect(await verifySecret(null, 'nobody has this passphrase')).toBe(false);
});

it('composed and decomposed letters are the same secret', async () => {
  expect(await verifySecret(await hashSecret('caf\u00e9'), 'cafe\u0301')).toBe(true);
});

it('beyond two at once and 32 that wait, a hash is refused, and those that wait are not', async () => {
  const all = await Promise.allSettled(Array.from({ length: 40 }, () => hashSecret('flood')));
  const refused = all.filter((one) => one.status === 'rejected');
  expect(refused.map(({ reason }) => reason as unknown)).toEqual(
    Array.from({ length: 6 }, () => expect.objectContaining({ code: 'busy' }) as unknown),
  );
  await expect(hashSecret('after the flood')).resolves.toContain('$argon2id$');
});
