/** When the server's certificate is kept, and when it is replaced. */
import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { NOW } from '../../../testing/store/rows.ts';
import { openTempStore, tempDir } from '../../../testing/store/temp-store.ts';
import { fingerprintOf, lanCertificates } from './certificates.ts';
import { firstReachable, inUrl, ownSubjects } from './service.ts';

const DAY_MS = 86_400_000;
const HOME = { names: ['desk.local', 'localhost'], addresses: ['192.168.1.4', '127.0.0.1', '::1'] };
const AWAY = { ...HOME, addresses: ['10.0.0.7', '127.0.0.1', '::1'] };

describe('the server’s certificate', () => {
  it('stays the same for the same names and addresses, in any order', async () => {
    const db = await openTempStore();
    const first = await lanCertificates(db, HOME, NOW);
    const turned = { names: [...HOME.names].reverse(), addresses: [...HOME.addresses].reverse() };
    expect(await lanCertificates(db, turned, NOW + DAY_MS)).toEqual(first);
  });

  it('follows the machine’s addresses, under the authority that devices already trust', async () => {
    const db = await openTempStore();
    const home = await lanCertificates(db, HOME, NOW);
    const away = await lanCertificates(db, AWAY, NOW);
    expect(away.authority).toEqual(home.authority);
    expect(new X509Certificate(away.leaf.certificate).subjectAltName).toContain('10.0.0.7');
    expect(new X509Certificate(away.leaf.certificate).subjectAltName).not.toContain('192.168.1.4');
  });

  it('is renewed a month before its end, and after the clock was set back to before its beginning', async () => {
    const db = await openTempStore();
    const first = await lanCertificates(db, HOME, NOW);
    const soon = first.expiresAt - 31 * DAY_MS;
    expect(await lanCertificates(db, HOME, soon)).toEqual(first);
    const renewed = await lanCertificates(db, HOME, soon + 2 * DAY_MS);
    expect(renewed.expiresAt).toBeGreaterThan(first.expiresAt);
    const back = await lanCertificates(db, HOME, NOW);
    expect(back.expiresAt).toBeLessThan(renewed.expiresAt);
    expect(fingerprintOf(back.authority.certificate)).toBe(fingerprintOf(first.authority.certificate));
  });

  it('is signed by a single authority if several processes start at once', async () => {
    const dir = tempDir();
    const processes = [await openTempStore(dir), await openTempStore(dir)];
    const made = await Promise.all([...processes, ...processes].map((db) => lanCertificates(db, HOME, NOW)));
    expect(new Set(made.map(({ authority }) => authority.certificate)).size).toBe(1);
  });
});

describe('the addresses and name of a machine', () => {
  const entry = (address: string, internal = false) => ({
    address,
    internal,
    netmask: '',
    mac: '',
    cidr: null,
    ...(address.includes(':') ? { family: 'IPv6' as const, scopeid: 0 } : { family: 'IPv4' as const }),
  });

  it('are private addresses, IPv4 first, and the local name; public and link-local ones are left out', () => {
    const subjects = ownSubjects(
      {
        lo: [entry('127.0.0.1', true)],
        eth: [
          entry('fd00::4'),
          entry('192.168.1.4'),
          entry('198.18.0.1'),
          entry('8.8.8.8'),
          entry('fe80::1'),
        ],
      },
      'Desk.example.org',
    );
    expect(subjects).toEqual({
      names: ['desk.local', 'localhost'],
      addresses: ['192.168.1.4', 'fd00::4', '127.0.0.1', '::1'],
    });
    expect(firstReachable(subjects)).toBe('192.168.1.4');
    // A name is easier to type than an IPv6 address.
    const onlyIpv6 = { ...subjects, addresses: subjects.addresses.filter((each) => each.includes(':')) };
    expect(firstReachable(onlyIpv6)).toBe('desk.local');
    expect(firstReachable({ ...onlyIpv6, names: ['localhost'] })).toBe('fd00::4');
    expect(inUrl('fd00::4')).toBe('[fd00::4]');
  });

  it('are only the machine itself without a network, and no invalid name', () => {
    const subjects = ownSubjects({}, 'not_a_label');
    expect(subjects.names).toEqual(['localhost']);
    expect(firstReachable(subjects)).toBeNull();
  });
});
