import { expect, test } from 'vitest';
import { NO_SKIP, run } from '../../../testing/service/runs.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { findRecords } from './find.ts';

test('each role finds the records that it may open, in the scope alone', async () => {
  const service = await openTestService();
  const { deps, scope, company } = service;
  const { session_id: id } = await run(service, 'alice', {
    external_id: 'ticket-7',
    metadata: { name: 'Ada Lovelace' },
    ...NO_SKIP,
  });
  const find = async (q: string, role: 'staff' | 'reviewer' | 'admin', partition: 'live' | 'test' = 'test') =>
    (await findRecords(deps, scope(partition), { q, role })).items;

  expect(await find('lovelace', 'reviewer')).toMatchObject([
    { kind: 'person', title: 'Ada Lovelace', detail: 'ticket-7' },
    { kind: 'session', id, title: 'ticket-7' },
  ]);
  expect(await find('ticket-7', 'staff')).toMatchObject([{ kind: 'session', id }]);
  expect(await find('lovelace', 'admin', 'live')).toEqual([]);

  const key = company.keys.sk_test;
  expect(await find(key, 'admin')).toMatchObject([
    { kind: 'key', title: expect.stringMatching(/^sk_test/) as string },
  ]);
  expect(await find(`sk_test_…${key.slice(-4)}`, 'admin')).toMatchObject([{ kind: 'key' }]);
  expect(await find(key, 'reviewer')).toEqual([]);
});
