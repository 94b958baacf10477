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
