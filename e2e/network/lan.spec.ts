/**
 * Network mode from other machines: https that verifies, a page to trust its certificate, and a console that is not
 * reachable.
 */
import http from 'node:http';
import https from 'node:https';
import { X509Certificate } from 'node:crypto';
import { expect, test } from '@playwright/test';
import type { KioskWithCode } from '../../server/contract/console/kiosks.ts';
import type { LanSettings } from '../../server/contract/console/settings.ts';
import type { KioskConfig, KioskPairResponse } from '../../server/contract/kiosk.ts';
import { expectAccessibleInBothThemes } from '../support/pages/accessible.ts';
import { type Operator, signIn, enrol } from '../support/pages/console.ts';
import { initialize } from '../support/run.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';

let gatehouse: Gatehouse;
let admin: Operator;
test.beforeAll(async () => {
  gatehouse = await startGatehouse();
  admin = await signIn(gatehouse, 'admin');
});
test.afterAll(() => gatehouse.stop());

type Answer = { status: number; type: string; bytes: Buffer; json: <T>() => T };
type Ask = { method?: string; headers?: Record<string, string>; body?: unknown; ca?: string };

/** One call to this machine on that port, as from a device on the network; rejects if TLS does not verify. */
function ask(url: string, { method = 'GET', headers = {}, body, ca }: Ask = {}): Promise<Answer> {
  const { protocol, port, pathname, search } = new URL(url);
  const options = {
    host: '127.0.0.1',
    port,
    path: pathname + search,
    method,
    agent: false as const,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
  };
  return new Promise((resolve, reject) => {
    const answered = (response: http.IncomingMessage) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'] ?? '',
          bytes,
          json: <T>() => JSON.parse(bytes.toString()) as T,
        });
      });
    };
    const request =
      protocol === 'https:'
        ? // The certificate is checked for this machine's name, whatever the `Host` header.
          https.request(
            { ...options, servername: 'localhost', ...(ca === undefined ? {} : { ca }) },
            answered,
          )
        : http.request(options, answered);
    request.on('error', reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const change = (is_on: boolean, is_console_open = false) =>
  admin.ok<LanSettings>('/settings/lan', { method: 'PUT', body: { is_on, is_console_open } });

const pem = (der: Buffer) => new X509Certificate(der).toString();

const originOf = ({ origins: [first] }: LanSettings): string => {
  if (first === undefined) throw new Error('This machine has neither address nor name.');
  return first;
};

test('off by default; when on, https verifies only with the certificate of the trust page, and links lead there', async () => {
  const before = await admin.ok<LanSettings>('/settings/lan');
  expect(before).toMatchObject({ is_on: false, is_console_open: false, origins: [], trust_url: null });
  expect((await initialize(gatehouse, gatehouse.company.keys.sk_test)).url).toContain(gatehouse.baseUrl);

  const lan = await change(true);
  const origin = originOf(lan);
  const ca = pem((await ask(`${new URL(lan.trust_url ?? '').origin}/trust/gatehouse.crt`)).bytes);
  expect(new X509Certificate(ca).fingerprint256).toBe(lan.fingerprint);
  expect((await ask(`${origin}/healthz`, { ca })).status).toBe(200);
  await expect(ask(`${origin}/healthz`)).rejects.toThrow(/certificate/);

  const started = await ask(`${origin}/v3/initialize`, {
    method: 'POST',
    ca,
    headers: { authorization: `Bearer ${gatehouse.company.keys.sk_test}` },
    body: {},
  });
  // Without a network links stay on this machine.
  const advertised = lan.failure === 'no_network' ? gatehouse.baseUrl : origin;
  expect(started.json<{ url: string }>().url).toContain(`${advertised}/verification?vys=`);
  // This machine's own listener is unchanged.
  expect((await ask(`${gatehouse.baseUrl}/healthz`)).status).toBe(200);
});

test('the console is not reachable until it is opened; then only by https, with its own cookie', async () => {
  const closed = await change(true);
  const ca = pem((await ask(`${new URL(closed.trust_url ?? '').origin}/trust/gatehouse.crt`)).bytes);
  for (const path of ['/console/api/me', '/console/api/sign-in', '/metrics', '/assets/console/index.html']) {
    expect((await ask(originOf(closed) + path, { ca })).status, path).toBe(404);
  }
  expect(closed.console_origin).toBeNull();

  const early = await admin.api('/settings/lan', {
    method: 'PUT',
    body: { is_on: true, is_console_open: true },
  });
  expect(early).toMatchObject({ status: 403, body: { error: 'second_factor_required' } });
  const other = await signIn(gatehouse, 'admin');
  await enrol(admin);
  const open = await change(true, true);
  // From now on it is also required of admins who are already signed in.
  expect(await other.api('/operators')).toMatchObject({
    status: 403,
    body: { error: 'second_factor_required' },
  });
  const signedOut = await ask(`${open.console_origin ?? ''}/console/api/me`, { ca });
  expect(signedOut.status).toBe(401);
  const port = new URL(open.console_origin ?? '').port;
  await expect(ask(`http://127.0.0.1:${port}/console/api/me`)).rejects.toThrow();
  const { console_origin } = await change(true, false);
  expect(console_origin).toBeNull();
  expect((await other.api('/operators')).status).toBe(200);
  await expect(ask(`https://127.0.0.1:${port}/console/api/me`, { ca })).rejects.toThrow(/ECONNREFUSED/);
});

test('a kiosk on another machine pairs by code, over https, and its token can be revoked', async () => {
  const lan = await change(true);
  const ca = pem((await ask(`${new URL(lan.trust_url ?? '').origin}/trust/gatehouse.crt`)).bytes);
  const { code, kiosk } = await admin.ok<KioskWithCode>('/kiosks', { body: { name: 'West gate' } });
  const paired = await ask(`${originOf(lan)}/kiosk/pair`, { method: 'POST', ca, body: { code } });
  const { device_token } = paired.json<KioskPairResponse>();
  const config = () =>
    ask(`${originOf(lan)}/kiosk/config`, { ca, headers: { 'x-kiosk-token': device_token } });
  expect((await config()).json<KioskConfig>()).toMatchObject({ name: 'West gate' });
  await admin.ok(`/kiosks/${kiosk.kiosk_id}/revoke`, { body: { reason: 'It was stolen.' } });
  expect((await config()).status).toBe(401);
});

test('the trust page: nothing but itself, in four languages, for every system, and accessible', async ({
  page,
}) => {
  const lan = await change(true);
  const origin = `http://127.0.0.1:${new URL(lan.trust_url ?? '').port}`;
  for (const path of ['/v3/initialize', '/console/api/me', '/flow/sessions/x', '/kiosk']) {
    expect((await ask(origin + path)).status, path).toBe(404);
  }
  const profile = await ask(`${origin}/trust/gatehouse.mobileconfig`);
  expect(profile.type).toBe('application/x-apple-aspen-config');
  expect(profile.bytes.toString()).toContain('com.apple.security.root');
  expect((await ask(`${origin}/trust/gatehouse.crt`)).type).toBe('application/x-x509-ca-cert');

  await page.goto(`${origin}/`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Trust this venue’s certificate');
  await expect(page.getByText(lan.fingerprint ?? '')).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.getByText('Windows').click();
  await expect(page.getByText('Vertrauenswürdige Stammzertifizierungsstellen')).toBeVisible();
});

test('off means unreachable; devices keep their trust when it is on again; kill −9 changes neither', async () => {
  const on = await change(true);
  expect((await change(false)).origins).toEqual([]);
  await expect(ask(`${originOf(on)}/healthz`)).rejects.toThrow(/ECONNREFUSED/);
  const again = await change(true);
  expect(again.fingerprint).toBe(on.fingerprint);
  await gatehouse.kill9();
  await gatehouse.restart();
  const after = await admin.ok<LanSettings>('/settings/lan');
  expect(after).toMatchObject({ is_on: true, fingerprint: on.fingerprint, failure: on.failure });
});

test('with a public address, network mode answers to its own names and addresses, and to no unknown host', async () => {
  await using own = await startGatehouse({
    env: { GATEHOUSE_PUBLIC_URL: 'https://verify.example.org', GATEHOUSE_PUBLIC_NAMES: 'proxied-name' },
  });
  const body = { is_on: true, is_console_open: false };
  const lan = await (await signIn(own, 'admin')).ok<LanSettings>('/settings/lan', { method: 'PUT', body });
  const ca = pem((await ask(`${new URL(lan.trust_url ?? '').origin}/trust/gatehouse.crt`)).bytes);
  const { port } = new URL(originOf(lan));
  const under = (host: string, path = '/openapi.json') =>
    ask(`https://127.0.0.1:${port}${path}`, { ca, headers: { host } });
  const names = [...lan.origins.map((origin) => new URL(origin).host), 'localhost', `127.0.0.1:${port}`];
  for (const host of [...names, 'verify.example.org', 'proxied-name:8443']) {
    expect((await under(host)).status, host).toBe(200);
  }
  for (const host of ['evil.example', '203.0.113.9', 'verify.example.org.evil.example']) {
    for (const path of ['/openapi.json', '/v3/verifications', '/v2/verification/create', '/verification']) {
      const { status, json } = await under(host, path);
      expect({ host, path, status }).toEqual({ host, path, status: 421 });
      const { reason, failure_reason } = json<{ reason?: string; failure_reason?: string }>();
      expect(reason ?? failure_reason).toContain('GATEHOUSE_PUBLIC_NAMES');
    }
    expect((await under(host, '/healthz')).status).toBe(200);
  }
});

test('only an admin can switch it', async () => {
  const staff = await signIn(gatehouse, 'staff');
  const body = { is_on: true, is_console_open: true };
  expect((await staff.api('/settings/lan', { method: 'PUT', body })).status).toBe(403);
  expect((await staff.api('/settings/lan')).status).toBe(403);
});
