import { expect, test } from 'vitest';
import { strengthOf } from './NewPassphrase.tsx';

test.each([
  ['short one', 'short'],
  ['aaaaaaaaaaaaaaaa', 'weak'],
  ['abcabcabcabcabc', 'weak'],
  ['Venue2026door', 'fair'],
  ['copper lantern river moss', 'strong'],
] as const)('%s is %s', (passphrase, strength) => {
  expect(strengthOf(passphrase)).toBe(strength);
});
