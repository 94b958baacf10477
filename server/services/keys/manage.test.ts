import { expect, it } from 'vitest';
import { listAuditEntries } from '../../store/operators/audit-query.ts';
import { verifyAudit } from '../../store/operators/audit.ts';
import type { Database } from '../../store/sql/port.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { callerBehind } from './keys.ts';
import { listLines } from '../webhooks/manage.ts';
import {
  issueKeyPair,
  listKeyPairs,
  readKeyPair,
  renameKeyPair,
  revokeKeyOrPair,
  rollKeyPair,
} from './manage.ts';

const HOUR_MS = 3_600_000;
const ACTOR = 'operator:ada' as const;
const why = (service: TestService) => ({ scope: service.scope('live'), reason: 'rotation', actor: ACTOR });

const works = async ({ deps, clock }: TestService, key: string | undefined) =>
  (await callerBehind(deps.db, key ?? '', clock.now())) !== null;

it('a pair is shown in full once, and then listed by its ends only', async () => {
  const service = await openTestService();
  service.clock.advance(1);
  const made = await issueKeyPair(service.deps, { ...why(service), type: 'v3' });
  expect(made.keys.map(({ kind }) => kind)).toEqual(['pk_live', 'sk_live']);
  expect(await works(service, made.keys[1]?.key)).toBe(true);
  const page = await listKeyPairs(service.deps, service.scope('live'), {});
  expect(page.items[0]).toMatchObject({ pair_id: made.pair_id, type: 'v3', state: 'active' });
  expect(JSON.stringify(page)).not.toContain(made.keys[1]?.key);
  const [entry] = await listAuditEntries(service.deps.db, { action: 'key.issue' }, null, 1);
  expect(entry).toMatchObject({ actor: ACTOR, subject: made.pair_id, partition: 'live' });
  expect(await verifyAudit(service.deps.db)).toMatchObject({ brokenAt: null });
});

it('keys have a name that a roll keeps, that the log and webhooks show, and that is not changed unseen', async () => {
  const service = await openTestService();
  const { deps } = service;
  const scope = service.scope('live');
  const made = await issueKeyPair(deps, { ...why(service), type: 'connect', name: '  Ticket  shop ' });
  expect(made.pair.name).toBe('Ticket shop');
  const { pair } = await rollKeyPair(deps, made.pair_id, { ...why(service), overlap: '1h' });
  expect(pair.name).toBe('Ticket shop');
  const [line] = (await listLines(deps, scope, {})).items;
  expect(line).toMatchObject({ lineage_id: pair.lineage_id, name: 'Ticket shop' });
  const [issued] = await listAuditEntries(deps.db, { action: 'key.issue' }, null, 1);
  expect(issued?.subjectName).toBe('Ticket shop');

  const rename = (name: string | null, version?: string) =>
    renameKeyPair(deps, pair.pair_id, { scope, name, version, actor: ACTOR });
  expect((await rename('Box office', pair.version)).name).toBe('Box office');
  expect((await readKeyPair(deps, scope, made.pair_id)).name).toBe('Box office');
  expect(await refusalOf(rename('Members', pair.version))).toBe('changed_meanwhile');
  expect(await refusalOf(rename('\u200b'))).toBe('name_unseen');
  expect((await rename(' ')).name).toBeNull();
  const renamed = await listAuditEntries(deps.db, { action: 'key.rename' }, null, 5);
  expect(renamed.map(({ details }) => JSON.parse(details) as unknown)).toEqual([
    { from: 'Box office', to: null },
    { from: 'Ticket shop', to: 'Box office' },
  ]);
  expect(
    await refusalOf(
      renameKeyPair(deps, pair.pair_id, { scope: service.scope('test'), name: 'x', actor: ACTOR }),
    ),
  ).toBe('not_found');
});

it('keys that cannot be shown are not issued, and the pair that they replace keeps working', async () => {
  const service = await openTestService();
  const { db } = service.deps;
  const [before] = (await listKeyPairs(service.deps, service.scope('live'), {})).items;
  const counted = () => db.all('SELECT id, ends_at FROM keys ORDER BY id');
  const keys = await counted();
  const failing: Database = {
    ...db,
    tx: (work, lock) =>
      db.tx((tx) => {
        let isIssued = false;
        return work({
          ...tx,
          run: (sql, ...values) => {
            isIssued ||= sql.includes('INSERT INTO audit_entries');
            return tx.run(sql, ...values);
          },
          all: (sql, ...values) => (isIssued ? Promise.reject(new Error('no read')) : tx.all(sql, ...values)),
        });
      }, lock),
  };
  const deps = { ...service.deps, db: failing };
  await expect(issueKeyPair(deps, { ...why(service), type: 'v3' })).rejects.toThrow('no read');
  await expect(rollKeyPair(deps, before?.pair_id ?? '', { ...why(service), overlap: 'now' })).rejects.toThrow(
    'no read',
  );
  expect(await counted()).toEqual(keys);
});

it('pairs of the other partition are neither listed, read, rolled nor revoked', async () => {
  const service = await openTestService();
  const test = await listKeyPairs(service.deps, service.scope('test'), {});
  const live = await listKeyPairs(service.deps, service.scope('live'), {});
  expect(test.items.flatMap(({ keys }) => keys).map(({ kind }) => kind)).toEqual([
    'ak_test',
    'pk_test',
    'sk_test',
  ]);
  const id = test.items[0]!.pair_id;
  expect(live.items.map(({ pair_id }) => pair_id)).not.toContain(id);
  const live1 = why(service);
  await expect(readKeyPair(service.deps, live1.scope, id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(rollKeyPair(service.deps, id, { ...live1, overlap: 'now' })).rejects.toMatchObject({
    code: 'not_found',
  });
  await expect(revokeKeyOrPair(service.deps, id, live1)).rejects.toMatchObject({ code: 'not_found' });
});

it('a rolled pair works until its end, names its replacement, and then leaves the list of working ones', async () => {
  const service = await openTestService();
  service.clock.advance(1);
  const old = await issueKeyPair(service.deps, { ...why(service), type: 'connect' });
  service.clock.advance(1);
  const next = await rollKeyPair(service.deps, old.pair_id, { ...why(service), overlap: '1h' });
  expect(await readKeyPair(service.deps, service.scope('live'), old.pair_id)).toMatchObject({
    state: 'ending',
    ends_at: next.old_ends_at,
    replaced_by: next.pair_id,
    keys: [{ reason: 'rotation' }],
  });
  const listed = async (list: 'working' | 'gone') =>
    (await listKeyPairs(service.deps, service.scope('live'), { list })).items.map(({ pair_id }) => pair_id);
  expect(await works(service, old.keys[0]?.key)).toBe(true);
  expect(await listed('working')).toContain(old.pair_id);
  service.clock.advance(HOUR_MS);
  expect(await works(service, old.keys[0]?.key)).toBe(false);
  expect(await works(service, next.keys[0]?.key)).toBe(true);
  expect(await listed('working')).not.toContain(old.pair_id);
  expect(await listed('gone')).toEqual([old.pair_id]);
});

it('one key of a pair can be revoked; the other keeps working', async () => {
  const service = await openTestService();
  service.clock.advance(1);
  const made = await issueKeyPair(service.deps, { ...why(service), type: 'v3' });
  const pair = await readKeyPair(service.deps, service.scope('live'), made.pair_id);
  expect(await revokeKeyOrPair(service.deps, pair.keys[1]!.key_id, why(service))).toMatchObject({
    key_ids: [pair.keys[1]!.key_id],
    pair: { state: 'active', keys: [{ state: 'active' }, { state: 'revoked' }] },
  });
  await revokeKeyOrPair(service.deps, made.pair_id, why(service));
  expect(await readKeyPair(service.deps, service.scope('live'), made.pair_id)).toMatchObject({
    state: 'revoked',
  });
  await expect(
    rollKeyPair(service.deps, made.pair_id, { ...why(service), overlap: '7d' }),
  ).rejects.toMatchObject({ code: 'no_working_key' });
});

it('the list has pages', async () => {
  const service = await openTestService();
  const { deps } = service;
  const made: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    service.clock.advance(1);
    made.unshift((await issueKeyPair(deps, { ...why(service), type: 'connect' })).pair_id);
  }
  const first = await listKeyPairs(deps, service.scope('live'), { limit: 3 });
  const second = await listKeyPairs(deps, service.scope('live'), {
    limit: 3,
    cursor: first.next_cursor ?? '',
  });
  const ids = [...first.items, ...second.items].map(({ pair_id }) => pair_id);
  expect(ids.slice(0, 5)).toEqual(made);
  await expect(listKeyPairs(deps, service.scope('live'), { cursor: 'nonsense' })).rejects.toMatchObject({
    code: 'invalid_cursor',
  });
});
