/** The console's protection, over HTTP: from where it is called, what its pages may run, and what its log says. */
import { request as rawRequest } from 'node:http';
import { expect } from '@playwright/test';
import { apiOf, refusalOf, signIn } from '../support/pages/console.ts';
import { send } from '../support/http.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { test, withOwnCompany } from '../support/service/shared-server.ts';
import { limitMs } from '../../testing/tier.ts';

const WRONG = 'not the right passphrase';

let gatehouse: Gatehouse;
test.beforeAll(async ({ gatehouse: shared }) => {
  gatehouse = await withOwnCompany(shared);
});

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

test('the stream reports changes by another process', async () => {
  const { company_id: company } = gatehouse.company;
  const operator = await signIn(gatehouse, 'staff', { companyId: company });
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
        await gatehouse.cli(['limit', 'set'], { company, daily });
        return told;
      },
      { timeout: limitMs(20_000) },
    )
    .toContain('event: usage');
  await reading;
});

test('the log never contains a passphrase, a token or a key', async () => {
  const operator = await signIn(gatehouse, 'admin');
  await send(apiOf(gatehouse, '/sign-in'), { body: { name: operator.name, passphrase: WRONG } });
  await operator.api('/operators', { body: '{broken' });
  const log = gatehouse.log();
  const secrets = [operator.passphrase, WRONG, operator.cookie.split('=')[1]!, operator.csrfToken];
  for (const secret of [...secrets, ...Object.values(gatehouse.company.keys)])
    expect(log).not.toContain(secret);
});
