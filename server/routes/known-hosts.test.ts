/** If a public address is set, the public listeners answer only to the server's own names. */
import { hostname, networkInterfaces } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pino } from 'pino';
import { createFastify } from '../http/public-app.ts';
import { refuseUnknownHosts } from './known-hosts.ts';

const PUBLIC = { publicUrl: 'https://verify.example.org', publicNames: ['gatehouse', '10.9.8.7'] };

async function statusFor(host: string | undefined, url = '/any', known: typeof PUBLIC | null = PUBLIC) {
  const app = createFastify(pino({ level: 'silent' }), 0);
  onTestFinished(() => app.close());
  refuseUnknownHosts(app, known ?? { publicUrl: null, publicNames: [] });
  for (const path of ['/any', '/healthz', '/readyz']) app.get(path, () => ({ status: 'ok' }));
  const reply = await app.inject({ url, headers: host === undefined ? {} : { host } });
  return { status: reply.statusCode, body: reply.json<Record<string, string>>() };
}

describe('a request is answered', () => {
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  it.each([
    'verify.example.org',
    'verify.example.org:8443',
    'VERIFY.example.org',
    'verify.example.org.',
    'localhost:4180',
    '127.0.0.1:4180',
    '[::1]:4180',
    'gatehouse:4180',
    '10.9.8.7',
    hostname(),
    `${hostname().split('.')[0] ?? ''}.local:4182`,
    ...addresses
      .filter(({ scopeid }) => !scopeid)
      .map(({ address }) => (address.includes(':') ? `[${address}]:4182` : address)),
  ])('under a name of this server: %s', async (host) => {
    expect((await statusFor(host)).status).toBe(200);
  });

  it.each(['evil.example', '203.0.113.9', 'verify.example.org.evil.example'])(
    'under any name if no public address is set: %s',
    async (host) => {
      expect((await statusFor(host, '/any', null)).status).toBe(200);
    },
  );

  it.each(['/healthz', '/readyz'])('under any name if it asks for health: %s', async (url) => {
    expect((await statusFor('10.1.2.3', url)).status).toBe(200);
  });
});

describe('a request is refused, with a message for the operator', () => {
  it.each([
    'evil.example',
    'example.org',
    'verify.example.org.evil.example',
    'evil.example:4180',
    '203.0.113.9',
    '[2001:db8::1]',
    'verify.example.org@evil.example',
    'a b',
  ])('under an unknown name: %j', async (host) => {
    const { status, body } = await statusFor(host);
    expect(status).toBe(421);
    expect(body).toMatchObject({ detail: 'unknown_host' });
    expect(body['reason']).toContain('GATEHOUSE_PUBLIC_NAMES');
    expect(body['reason']).toContain('https://verify.example.org');
    expect(JSON.stringify(body)).not.toContain('evil');
  });

  it('even at a path that does not exist, and in the shape of v1 and v2', async () => {
    expect((await statusFor('evil.example', '/nothing')).status).toBe(421);
    const { status, body } = await statusFor('evil.example', '/v2/verification/create');
    expect([status, Object.keys(body)]).toEqual([421, ['status', 'failure_code', 'failure_reason']]);
    expect(body).toMatchObject({ status: 'failure', failure_code: 'INVALID_REQUEST' });
  });
});
