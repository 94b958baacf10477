/** Checks certificates with Node's own TLS, independently of the library that makes them. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { issueCertificate, type KeptCertificate, newAuthority, type Subjects } from './authority.ts';

const DAY_MS = 86_400_000;
const SUBJECTS: Subjects = {
  names: ['venue-pc.local', 'localhost'],
  addresses: ['192.168.1.4', '127.0.0.1', 'fd00::4', '::1'],
};

/** What a client that trusts `ca` reads from a server with `leaf` under `name`; the error if it refuses. */
async function ask(leaf: KeptCertificate, ca: string, name: string): Promise<string> {
  const server = https.createServer({ cert: leaf.certificate, key: leaf.key }, (_, response) => {
    response.end('hello');
  });
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve) => {
    https
      .get(
        { host: '127.0.0.1', port, ca, servername: /^[\d.:]+$/.test(name) ? '' : name, agent: false },
        (response) => {
          response.resume();
          resolve('hello');
        },
      )
      .on('error', (error: Error) => resolve(error.message));
  });
}

describe('the certificate of the server', () => {
  it('is trusted by clients that trust the authority, and by no others', async () => {
    const authority = await newAuthority('front desk', Date.now());
    const other = await newAuthority('another', Date.now());
    const leaf = await issueCertificate(authority, SUBJECTS, Date.now());
    expect(await ask(leaf, authority.certificate, '127.0.0.1')).toBe('hello');
    expect(await ask(leaf, authority.certificate, 'venue-pc.local')).toBe('hello');
    expect(await ask(leaf, other.certificate, '127.0.0.1')).not.toBe('hello');
  });

  it('names its subjects, is not an authority, and is valid for at most 397 days', async () => {
    const now = Date.now();
    const authority = await newAuthority('front desk', now);
    const leaf = new X509Certificate((await issueCertificate(authority, SUBJECTS, now)).certificate);
    expect(leaf.subjectAltName).toBe(
      'DNS:venue-pc.local, DNS:localhost, IP Address:192.168.1.4, IP Address:127.0.0.1, ' +
        'IP Address:FD00:0:0:0:0:0:0:4, IP Address:0:0:0:0:0:0:0:1',
    );
    expect(leaf.ca).toBe(false);
    const days = (Date.parse(leaf.validTo) - Date.parse(leaf.validFrom)) / DAY_MS;
    expect(days).toBeLessThanOrEqual(397);
    expect(days).toBeGreaterThan(390);
    expect(leaf.checkIssued(new X509Certificate(authority.certificate))).toBe(true);
  });
});

describe('the authority', () => {
  it('is an authority, valid for years, under a name that identifies the installation', async () => {
    const authority = new X509Certificate((await newAuthority('front desk', Date.now())).certificate);
    expect(authority.ca).toBe(true);
    expect(authority.subject).toBe('CN=Gatehouse front desk');
    expect(Date.parse(authority.validTo) - Date.now()).toBeGreaterThan(9 * 365 * DAY_MS);
  });

  it('signs for servers only, and nothing else that a phone would trust', async () => {
    const authority = new X509Certificate((await newAuthority('front desk', Date.now())).certificate);
    // `keyUsage` of Node.js is the extended one.
    expect(authority.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  });

  it('cannot sign for an internet name or a public address', async () => {
    const authority = await newAuthority('front desk', Date.now());
    const forged = await issueCertificate(
      authority,
      { names: ['www.example.org'], addresses: ['127.0.0.1'] },
      Date.now(),
    );
    expect(await ask(forged, authority.certificate, 'www.example.org')).toBe('permitted subtree violation');
    const elsewhere = await issueCertificate(
      authority,
      { names: ['venue.local'], addresses: ['127.0.0.1', '198.51.100.7'] },
      Date.now(),
    );
    expect(await ask(elsewhere, authority.certificate, 'venue.local')).toBe('permitted subtree violation');
  });
});
