/** Calls of the interface, found by their Request-Id. */
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { tempDir } from '../../../testing/store/temp-store.ts';
import { deleteRequests, insertRequest } from '../../store/keys/request-log.ts';
import { serverConfig } from '../../config.ts';
import { createPublicApp } from '../../http/public-app.ts';
import { findRecords } from '../find/find.ts';
import { forgetRequests } from './request-log.ts';

const DAY_MS = 86_400_000;

async function opened() {
  const service = await openTestService();
  const { deps } = service;
  const config = serverConfig({ dataDir: tempDir() }, {});
  const app = await createPublicApp({ deps, logger: pino({ level: 'silent' }), ...config });
  onTestFinished(() => app.close());
  const authorization = `Bearer ${service.company.keys.sk_test}`;
  const call = async (method: 'GET' | 'POST', url: string, payload?: object) => {
    const reply = await app.inject({ method, url, headers: { authorization }, ...(payload && { payload }) });
    await deps.requests.flush();
    return { id: String(reply.headers['request-id']), body: reply.json<Record<string, string>>() };
  };
  const find = async (q: string, role: 'staff' | 'admin' = 'admin', partition: 'live' | 'test' = 'test') =>
    (await findRecords(deps, service.scope(partition), { q, role })).items;
  const rows = async () => (await deps.db.one<{ n: number }>('SELECT COUNT(*) AS n FROM request_log'))?.n;
  return { service, deps, call, find, rows };
}

test('the Request-Id of a call that made a session finds the session and, for admins, the entries of its key', async () => {
  const { call, find } = await opened();
  const { id, body } = await call('POST', '/v3/initialize', {});
  expect(await find(` ${id} `)).toMatchObject([
    { kind: 'session', id: body['session_id'], title: 'initialize · 200' },
    { kind: 'request', id: expect.stringMatching(/^key:/) as string, title: 'initialize · 200' },
  ]);
  expect(await find(id, 'staff')).toMatchObject([{ kind: 'session', id: body['session_id'] }]);
});

test('it is not found in another partition or company', async () => {
  const { call, find, service, deps } = await opened();
  const { id } = await call('POST', '/v3/initialize', {});
  expect(await find(id, 'admin', 'live')).toEqual([]);
  const { company } = await service.otherCompany();
  const scope = { companyId: company.company_id, partition: 'test' } as const;
  expect((await findRecords(deps, scope, { q: id, role: 'admin' })).items).toEqual([]);
});

test('a refused call is found, a read that succeeded and a call without a key are not kept', async () => {
  const { call, find, rows } = await opened();
  const refused = await call('POST', '/v3/initialize', { nonsense: 1, expire_in_days: 'x' });
  expect(await find(refused.id)).toMatchObject([{ kind: 'request', title: 'initialize · 422' }]);
  const missing = await call('GET', '/v3/confirmations/none');
  expect((await find(missing.id))[0]?.title).toMatch(/^readConfirmation · 4/);
  const before = await rows();
  const read = await call('GET', '/v3/verifications');
  expect(await find(read.id)).toEqual([]);
  expect(await rows()).toBe(before);
});

test('they go after seven days, and the oldest beyond the latest that are kept', async () => {
  const { service, deps, call, rows } = await opened();
  const { id } = await call('POST', '/v3/initialize', {});
  const scope = service.scope('test');
  const at = service.clock.now();
  await deps.db.tx(async (tx) => {
    for (let n = 1; n <= 4; n++)
      await insertRequest(tx, {
        id: `r${n}`,
        scope,
        at: at + n,
        operation: 'o',
        status: 200,
        keyId: null,
        sessionId: null,
      });
  });
  expect(await deps.db.tx((tx) => deleteRequests(tx, { before: 0, keep: 3 }, 100))).toBe(1);
  expect(await deps.db.all('SELECT 1 FROM request_log WHERE id = ?', id)).toEqual([]);
  service.clock.advance(7 * DAY_MS + 3);
  await forgetRequests(deps);
  expect(await rows()).toBe(2);
});

test('a session or company that was removed meanwhile loses no other call', async () => {
  const { service, deps, rows } = await opened();
  const call = { at: 1, operation: 'o', status: 200, keyId: null } as const;
  await deps.db.tx(async (tx) => {
    await insertRequest(tx, {
      ...call,
      id: 'r1',
      scope: { companyId: 'gone', partition: 'test' },
      sessionId: null,
    });
    await insertRequest(tx, { ...call, id: 'r2', scope: service.scope('test'), sessionId: 'vs_gone' });
  });
  expect(await rows()).toBe(1);
});
