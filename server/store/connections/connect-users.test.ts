import { beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../domain/scope.ts';
import {
  NOW,
  pass,
  seedCompany,
  seedPass,
  seedPerson,
  seedSession,
  session,
} from '../../../testing/store/rows.ts';
import { openTempStore } from '../../../testing/store/temp-store.ts';
import { countRunsOfReference, findSessionByStatusToken, recordStatusToken } from './connect-sessions.ts';
import {
  findConnectUser,
  findConnectUserById,
  listConnectUsersOfPerson,
  setConnection,
  upsertConnectUser,
} from './connect-users.ts';
import type { Database } from '../sql/port.ts';
import { endSession, findSession } from '../runs/sessions.ts';

const OWN: Scope = { companyId: 'own', partition: 'test' };
const STRANGERS: [title: string, scope: Scope][] = [
  ['another company', { companyId: 'other', partition: 'test' }],
  ['the other partition', { companyId: 'own', partition: 'live' }],
];
const USER = {
  id: 'bcu_1',
  keyLineageId: 'line',
  generation: 'v2',
  referenceUserId: 'guest',
  dataRequest: ['A'],
  at: NOW,
} as const;
const HASH = new Uint8Array(32).fill(3);
const T_HASH = new Uint8Array(32).fill(4);

let db: Database;
beforeEach(async () => {
  db = await openTempStore();
  await seedCompany(db, 'own');
  await seedCompany(db, 'other');
  await seedPerson(db, OWN, 'alice');
  await db.tx((tx) => upsertConnectUser(tx, OWN, { ...USER, dataRequest: [...USER.dataRequest] }));
  await seedSession(
    db,
    session(OWN, 'v-own', 's', { generation: 'v2', connectUserId: 'bcu_1', directTokenHash: T_HASH }),
  );
});

describe('a user of v1 or v2', () => {
  test('keeps the ID and the connection when registered again, with the latest data request', async () => {
    await db.tx(async (tx) => {
      await setConnection(tx, OWN, 'bcu_1', {
        connection: 'connected',
        personId: 'alice',
        passId: null,
        at: NOW,
      });
      await upsertConnectUser(tx, OWN, { ...USER, id: 'bcu_2', dataRequest: ['B'], at: NOW + 1 });
    });
    expect(await findConnectUser(db, OWN, 'line', 'v2', 'guest')).toEqual({
      id: 'bcu_1',
      scope: OWN,
      keyLineageId: 'line',
      generation: 'v2',
      referenceUserId: 'guest',
      dataRequest: ['B'],
      connection: 'connected',
      personId: 'alice',
      passId: null,
      createdAt: NOW,
      changedAt: NOW + 1,
    });
    expect(await listConnectUsersOfPerson(db, OWN, 'alice')).toHaveLength(1);
  });

  test('is unique per key family, generation and reference', async () => {
    const register = (other: object) =>
      db.tx((tx) => upsertConnectUser(tx, OWN, { ...USER, dataRequest: [], id: 'bcu_3', ...other }));
    expect((await register({ generation: 'v1', id: 'bcu_a' })).id).toBe('bcu_a');
    expect((await register({ keyLineageId: 'line-2', id: 'bcu_b' })).id).toBe('bcu_b');
    expect((await register({ referenceUserId: 'guest-2', id: 'bcu_c' })).id).toBe('bcu_c');
    expect((await register({})).id).toBe('bcu_1');
  });
});

describe('v2 runs with an integration’s own ID', () => {
  test('are counted together with those that are approved and still valid', async () => {
    expect(await countRunsOfReference(db, OWN, 'guest')).toEqual({ runs: 1, approved: 0 });
    await seedPass(db, OWN, pass('v-own', 'p', { sessionId: 's', generation: 'v2' }));
    await db.tx((tx) => endSession(tx, OWN, 's', { state: 'settled', passId: 'p', at: NOW }));
    expect(await countRunsOfReference(db, OWN, 'guest')).toEqual({ runs: 1, approved: 1 });
    expect(await countRunsOfReference(db, OWN, 'nobody')).toEqual({ runs: 0, approved: 0 });
  });

  test('have a token that is issued once', async () => {
    const give = (at: number) => db.tx((tx) => recordStatusToken(tx, OWN, 's', { hash: HASH, at }));
    expect([await give(1), await give(2)]).toEqual([1, 0]);
    expect(await findSessionByStatusToken(db, OWN, HASH)).toMatchObject({ id: 's', statusTokenAt: 1 });
  });
});

describe.each(STRANGERS)('to %s', (_title, scope) => {
  test('users and runs are not found and cannot be changed', async () => {
    await db.tx((tx) => recordStatusToken(tx, OWN, 's', { hash: HASH, at: 1 }));
    const before = [await findSession(db, 's'), await findConnectUserById(db, OWN, 'bcu_1')];
    expect(await findConnectUser(db, scope, 'line', 'v2', 'guest')).toBeUndefined();
    expect(await findConnectUserById(db, scope, 'bcu_1')).toBeUndefined();
    expect(await listConnectUsersOfPerson(db, scope, 'alice')).toEqual([]);
    expect(await findSessionByStatusToken(db, scope, HASH)).toBeUndefined();
    expect(await countRunsOfReference(db, scope, 'guest')).toEqual({ runs: 0, approved: 0 });
    const changed = await db.tx(async (tx) => [
      await setConnection(tx, scope, 'bcu_1', { connection: 'denied', personId: null, passId: null, at: 9 }),
      await recordStatusToken(tx, scope, 's', { hash: T_HASH, at: 9 }),
    ]);
    expect(changed).toEqual([0, 0]);
    expect([await findSession(db, 's'), await findConnectUserById(db, OWN, 'bcu_1')]).toEqual(before);
  });
});
