import { expect, test } from 'vitest';
import { fingerprintOf } from '../../server/services/network/certificates.ts';
import { issueCertificate, newAuthority } from '../../server/services/network/authority.ts';
import { isPinned, VERIFY, verdictOn } from './pinned.ts';

const NOW = Date.UTC(2030, 0, 1);
const YEAR_MS = 365 * 86_400_000;
const HOME = { names: ['desk.local'], addresses: ['192.168.1.4', 'fd00::4'] };

const authority = await newAuthority('desk', NOW);
const leaf = await issueCertificate(authority, HOME, NOW);
const pin = fingerprintOf(authority.certificate).replaceAll(':', '');
const shown = { hostname: '192.168.1.4', certificate: leaf.certificate, issuer: authority.certificate };

test.each(['192.168.1.4', '[fd00::4]', 'desk.local'])(
  'a certificate of the pinned authority is valid for %s',
  (hostname) => {
    expect(isPinned({ ...shown, hostname }, pin, NOW)).toBe(true);
  },
);

test.each(['192.168.1.5', 'other.local', 'example.org'])('and not for %s', (hostname) => {
  expect(isPinned({ ...shown, hostname }, pin, NOW)).toBe(false);
});

test('another authority is refused, even if it also sends the pinned certificate', async () => {
  const foreign = await newAuthority('desk', NOW);
  const forged = await issueCertificate(foreign, HOME, NOW);
  expect(isPinned({ ...shown, certificate: forged.certificate }, pin, NOW)).toBe(false);
  expect(isPinned({ ...shown, certificate: forged.certificate, issuer: foreign.certificate }, pin, NOW)).toBe(
    false,
  );
});

test('an expired certificate, one without its chain, and an invalid one are refused', () => {
  expect(isPinned(shown, pin, NOW + 2 * YEAR_MS)).toBe(false);
  expect(isPinned({ ...shown, issuer: null }, pin, NOW)).toBe(false);
  expect(isPinned({ ...shown, certificate: 'nothing' }, pin, NOW)).toBe(false);
  expect(isPinned({ ...shown, certificate: authority.certificate }, pin, NOW)).toBe(false);
});

test.each([
  ['the pinned one', pin, -202, VERIFY.trusted],
  ['the pinned one, which the system knows too', pin, 0, VERIFY.trusted],
  ['another that the system trusts', 'AB'.repeat(32), 0, VERIFY.refused],
  ['another that it does not', 'AB'.repeat(32), -202, VERIFY.asChromium],
])('of %s', (_whose, fingerprint, errorCode, verdict) => {
  expect(verdictOn(shown, { fingerprint, errorCode, nowMs: NOW })).toBe(verdict);
});
