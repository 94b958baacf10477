/** The console's protection, over HTTP: who gets in, for how long, from where, and what each role may do. */
import { request as rawRequest } from 'node:http';
import { expect, test } from '@playwright/test';
import type { Me, SetupResponse } from '../../server/contract/console/access.ts';
import type { ConsoleErrorBody } from '../../server/contract/console/errors.ts';
import {
  apiOf,
  cookieOf,
  newOperator,
  type Operator,
  refusalOf,
  signIn,
  signInAs,
} from '../support/pages/console.ts';
import { send } from '../support/http.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { limitMs } from '../../testing/tier.ts';

const START_MS = limitMs(30_000);
const WRONG = 'not the right passphrase';

let gatehouse: Gatehouse;
test.beforeAll(async () => {
  test.setTimeout(START_MS);
  gatehouse = await startGatehouse();
});
test.afterAll(() => gatehouse.stop());

/** A GET with a path and host that `fetch` would normalise or refuse. */
function rawGet(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(gatehouse.consoleUrl);
  return new Promise((resolve, reject) => {
    rawRequest({ hostname, port, path, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    })
      .on('error', reject)
      .end();
  });
}

const signInAgain = (name: string, passphrase: string) =>
  send(apiOf(gatehouse, '/sign-in'), { body: { name, passphrase } });
const me = (operator: Operator) => operator.api<Me>('/me');

test.describe('the first start', () => {
  test('creates one admin however many requests there are, and adopts the existing company', async () => {
    const ask = (n: number) =>
      send<SetupResponse & ConsoleErrorBody>(apiOf(gatehouse, '/setup'), {
        body: { name: `Ada ${n}`, passphrase: 'lemon orbit quartz harbour', company_name: 'Arena' },
      });
    expect(
      await refusalOf(
        send(apiOf(gatehouse, '/setup'), { body: { name: 'Ada', passphrase: 'short', company_name: 'A' } }),
      ),
    ).toEqual([422, 'weak_passphrase']);
    const replies = await Promise.all([1, 2, 3, 4].map(ask));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(replies.find(({ status }) => status === 200)?.body).toMatchObject({
      adopted: true,
      company_id: gatehouse.company.company_id,
    });
    expect((await send(apiOf(gatehouse, '/setup'))).body).toMatchObject({ needed: false });
  });
});

test.describe('the cookie', () => {
  test('is not available to scripts and other sites', async () => {
    const { name, passphrase } = await newOperator(gatehouse, 'staff');
    const reply = await signInAgain(name, passphrase);
    const [cookie] = reply.headers.getSetCookie();
    expect(cookie).toMatch(
      /^gatehouse_console=[A-Za-z0-9]{43}; Path=\/console\/api; HttpOnly; SameSite=Strict$/,
    );
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  test('is a new one at each sign-in, and the previous one is invalid', async () => {
    const before = await signIn(gatehouse, 'staff');
    const planted = { cookie: before.cookie };
    const { name, passphrase } = before;
    const reply = await send<Me>(apiOf(gatehouse, '/sign-in'), {
      body: { name, passphrase },
      headers: planted,
    });
    expect(cookieOf(reply)).not.toBe(before.cookie);
    expect(await refusalOf(me(before))).toEqual([401, 'session_ended']);
  });
});

test('a call under a foreign name is refused, as in DNS rebinding', async () => {
  for (const path of ['/console/api/setup', '/', '/metrics']) {
    expect((await rawGet(path, { host: 'evil.example' })).status).toBe(421);
  }
  expect((await rawGet('/console/api/setup', { host: 'localhost' })).status).toBe(200);
});

test.describe('pages', () => {
  test('are never framed and run no foreign code', async () => {
    for (const path of ['/', '/reviews/some-case', '/console/api/me']) {
      const { headers } = await send(gatehouse.consoleUrl + path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers.get('x-frame-options')).toBe('DENY');
    }
  });

  test('serve no file outside their folder', async () => {
    for (const path of [
      '/assets/console/../../package.json',
      '/assets/console/..%2f..%2fpackage.json',
      '/assets/console/%2e%2e/%2e%2e/package.json',
      '/assets/console/..%5c..%5cpackage.json',
      '/assets/console//etc/passwd',
      '/..%2f..%2fpackage.json',
    ]) {
      const { status, body } = await rawGet(path);
      expect(body).not.toContain('devDependencies');
      expect(body).not.toContain('root:');
      if (path.startsWith('/assets')) expect([400, 403, 404]).toContain(status);
    }
  });

  test('do not answer for the API or for files that do not exist', async () => {
    expect((await send(`${gatehouse.consoleUrl}/assets/console/none.js`)).status).toBe(404);
    expect(await refusalOf(send(apiOf(gatehouse, '/none')))).toEqual([404, 'not_found']);
  });
});

test.describe('a session', () => {
  test('ends everywhere when its operator says so, at a reset, and with a new passphrase', async () => {
    const one = await signIn(gatehouse, 'staff');
    const two = await signInAs(gatehouse, one);
    expect((await two.api('/sign-out-everywhere', { method: 'POST' })).status).toBe(200);
    for (const operator of [one, two]) expect(await refusalOf(me(operator))).toEqual([401, 'session_ended']);

    const three = await signInAs(gatehouse, one);
    const four = await signInAs(gatehouse, one);
    const next = 'violet anchor meadow pepper';
    const body = { current: one.passphrase, next };
    expect((await four.api('/me/passphrase', { method: 'PUT', body })).status).toBe(200);
    expect(await refusalOf(me(three))).toEqual([401, 'session_ended']);
    expect((await me(four)).status).toBe(200);

    const reset = await gatehouse.cli<{ passphrase: string }>([
      'operator',
      'reset',
      '--operator',
      one.name,
      '--reason',
      'lost it',
    ]);
    expect(await refusalOf(me(four))).toEqual([401, 'session_ended']);
    expect(await refusalOf(signInAgain(one.name, next))).toEqual([401, 'sign_in_failed']);
    expect((await signInAgain(one.name, reset.passphrase)).status).toBe(200);
  });
});

test('the stream reports changes by another process', async () => {
  const operator = await signIn(gatehouse, 'staff');
  const stream = await fetch(apiOf(gatehouse, '/live'), { headers: { cookie: operator.cookie } });
  expect(stream.headers.get('content-type')).toContain('text/event-stream');
  let told = '';
  const reading = (async () => {
    for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) {
      told += chunk;
      if (told.includes('event: usage')) return;
    }
  })();
  await expect
    .poll(
      async () => {
        const daily = String(1_000 + Math.round(Math.random() * 1_000_000));
        await gatehouse.cli(['limit', 'set', '--company', gatehouse.company.company_id, '--daily', daily]);
        return told;
      },
      { timeout: limitMs(20_000) },
    )
    .toContain('event: usage');
  await reading;
});

test('the log never contains a passphrase, a token or a key', async () => {
  const operator = await signIn(gatehouse, 'admin');
  await signInAgain(operator.name, WRONG);
  await operator.api('/operators', { body: '{broken' });
  const log = gatehouse.log();
  const secrets = [operator.passphrase, WRONG, operator.cookie.split('=')[1]!, operator.csrfToken];
  for (const secret of [...secrets, ...Object.values(gatehouse.company.keys)])
    expect(log).not.toContain(secret);
});
