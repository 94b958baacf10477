/** Who may call the console's API: each rule for every operation, without a list that could miss one. */
import cookie from '@fastify/cookie';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { consoleDeps, openConsoleServer } from '../../../testing/service/console-server.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { isAtLeast, ROLES } from '../../contract/console/common.ts';
import { removeCompany } from '../../store/companies/remove.ts';
import { giveOidcCookie, guardRoutes, PUBLIC_ROUTES, takeOidcCookie } from './guard.ts';

describe('every operation', () => {
  it('names a role, or is on the list of public ones', async () => {
    const { operations } = await openConsoleServer();
    expect(operations.length).toBeGreaterThan(100);
    expect(operations.filter(({ access }) => access === undefined)).toEqual([]);
    const open = operations.filter(({ access }) => access === 'public');
    expect(open.map(({ method, url }) => `${method} ${url}`).sort()).toEqual([...PUBLIC_ROUTES].sort());
  });

  it('is refused without a session, without a CSRF token and to each lower role, before its body is read', async () => {
    const { operations, anyone, as } = await openConsoleServer();
    const operators = await Promise.all(ROLES.map(async (role) => ({ role, caller: await as(role) })));
    for (const { method, url, access } of operations) {
      if (access === 'public' || access === undefined) continue;
      const name = `${method} ${url}`;
      expect([name, (await anyone.call(method, url)).error]).toEqual([name, 'sign_in_required']);
      for (const { role, caller } of operators) {
        if (!isAtLeast(role, access.role)) {
          const { status, error } = await caller.call(method, url);
          expect([name, role, status, error]).toEqual([name, role, 403, 'role_too_low']);
        } else if (method !== 'GET') {
          const { error } = await caller.call(method, url, { headers: { 'x-csrf-token': '' } });
          expect([name, role, error]).toEqual([name, role, 'csrf_token_required']);
        }
      }
    }
  });

  it('waits for the second factor of an admin whose console other machines reach, but for its set-up', async () => {
    const { operations, as } = await openConsoleServer({ isConsoleOpen: () => true });
    const [admin, reviewer] = await Promise.all([as('admin'), as('reviewer')]);
    const allowed: string[] = [];
    for (const { method, url, access } of operations) {
      if (access === 'public' || url.includes('sign-out')) continue;
      const { status, error } = await admin.call(method, url);
      if (status !== 403 || error !== 'second_factor_required') allowed.push(`${method} ${url}`);
    }
    expect(allowed.sort()).toEqual([
      'DELETE /me/second-factor',
      'GET /me',
      'GET /me/second-factor',
      'POST /me/second-factor',
      'POST /me/second-factor/confirm',
      'POST /me/stay',
    ]);
    expect((await reviewer.call('GET', '/reviews')).status).toBe(200);
  });

  it('without a company answers, or says that there is none', async () => {
    const { service, operations, as } = await openConsoleServer();
    const admin = await as('admin');
    await removeCompany(service.deps.db, service.company.company_id, [], () => Promise.resolve());
    expect((await admin.call('GET', '/companies')).body).toEqual({ items: [] });
    const saying: string[] = [];
    for (const { method, url, access } of operations) {
      if (method !== 'GET' || access === 'public') continue;
      const { status, error } = await admin.call(method, url);
      if (error === 'no_company') saying.push(url);
      else expect([200, 404, 409, 422], `${url}: ${error}`).toContain(status);
    }
    expect(saying).toEqual(expect.arrayContaining(['/door', '/live', '/events', '/sessions', '/keys']));
    const made = { payload: { company_name: ' Arena ', zone: 'Europe/Berlin' } };
    for (const { status } of await Promise.all([1, 2].map(() => admin.call('POST', '/setup/company', made))))
      expect(status).toBe(200);
    const { items } = (await admin.call('GET', '/companies')).body as { items: unknown[] };
    expect(items).toMatchObject([{ name: 'Arena', zone: 'Europe/Berlin' }]);
    expect((await admin.call('GET', '/door')).status).toBe(200);
  });

  it('finds nothing of another company for an operator who is limited to one, and nothing of the installation', async () => {
    const { service, operations, as } = await openConsoleServer();
    const { company: other } = await service.otherCompany();
    const limited = await as('admin', [service.company.company_id]);
    const wide: string[] = [];
    let scoped = 0;
    for (const { method, url, access } of operations) {
      if (access === 'public' || access === undefined) continue;
      if (access.installationWide) {
        wide.push(url);
        expect([url, (await limited.call(method, url)).error]).toEqual([url, 'installation_wide']);
        continue;
      }
      if (/^\/(me|sign-out|companies|saved-filters|maintenance|openapi|audit)/.test(url)) continue;
      // An invalid body is refused before the company is looked up, so the refusal reveals nothing about it.
      const foreign = await limited.call(method, `${url}?company_id=${other.company_id}`);
      const unknown = await limited.call(method, `${url}?company_id=none`);
      expect([url, foreign.status, foreign.body]).toEqual([url, unknown.status, unknown.body]);
      expect([404, 415, 422], `${method} ${url}`).toContain(foreign.status);
      scoped += 1;
    }
    expect(scoped).toBeGreaterThan(40);
    expect(wide).toEqual(
      expect.arrayContaining(['/operators', '/settings/sms', '/settings/backups', '/demo', '/audit/verify']),
    );
  });
});

describe('a call from elsewhere is refused', () => {
  it('with the CSRF token of another session', async () => {
    const { as } = await openConsoleServer();
    const [operator, other] = await Promise.all([as('staff'), as('staff')]);
    const { body } = await other.call('GET', '/me');
    const { csrf_token: foreign } = body as { csrf_token: string };
    const refused = await operator.call('POST', '/sign-out', { headers: { 'x-csrf-token': foreign } });
    expect([refused.status, refused.error]).toEqual([403, 'csrf_token_required']);
    expect((await operator.call('GET', '/me')).status).toBe(200);
  });

  it.each([
    { origin: 'https://evil.example' },
    { origin: 'http://gatehouse.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('by its Origin or by the browser’s report of its site: %o', async (headers) => {
    const { as } = await openConsoleServer();
    const operator = await as('staff');
    const refused = await operator.call('POST', '/me/stay', { headers });
    expect([refused.status, refused.error]).toEqual([403, 'foreign_origin']);
  });

  it('unless its content type is JSON', async () => {
    const { anyone } = await openConsoleServer();
    const payload = JSON.stringify({ name: 'a', passphrase: 'b' });
    const headers = { 'content-type': 'text/plain' };
    expect((await anyone.call('POST', '/sign-in', { payload, headers })).status).toBe(415);
  });

  it('but not from its own pages', async () => {
    const { as } = await openConsoleServer();
    const headers = {
      host: 'localhost:4181',
      origin: 'http://localhost:4181',
      'sec-fetch-site': 'same-origin',
    };
    expect((await (await as('staff')).call('POST', '/me/stay', { headers })).status).toBe(200);
  });
});

it('a route without a role is not started', async () => {
  const app = Fastify();
  guardRoutes(app, await consoleDeps(await openTestService()));
  expect(() => app.get('/forgotten', () => 'secret')).toThrow('does not say who may call it');
  expect(() => app.get('/open', { config: { access: 'public' } }, () => 'secret')).toThrow(
    'without being on the list',
  );
  await app.close();
});

it('takes over HTTPS no cookie of single sign-on that another host could have planted', async () => {
  const app = Fastify({ trustProxy: true });
  await app.register(cookie);
  app.get('/give', (request, reply) => {
    giveOidcCookie(request, reply, 'own');
    return reply.send();
  });
  app.get('/take', async (request, reply) => ({ secret: takeOidcCookie(request, reply) }));
  const headers = { 'x-forwarded-proto': 'https' };
  const given = (await app.inject({ url: '/give', headers })).cookies[0];
  expect(given).toMatchObject({ name: '__Host-gatehouse_oidc', path: '/', secure: true, httpOnly: true });
  const take = async (name: string) =>
    (await app.inject({ url: '/take', headers, cookies: { [name]: 'own' } })).json<{
      secret: string | null;
    }>();
  expect(await take('__Host-gatehouse_oidc')).toEqual({ secret: 'own' });
  expect(await take('gatehouse_oidc')).toEqual({ secret: null });
});
