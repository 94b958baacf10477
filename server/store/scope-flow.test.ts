/** Decisions §1.2, for current runs and settled passes: rows of another scope do not exist. */
import { beforeEach, describe, expect, it } from 'vitest';
import { ANY_AGE } from '../domain/clock.ts';
import type { Identity } from '../domain/identity.ts';
import type { Scope } from '../domain/scope.ts';
import { NOW, pass, seedCompany, seedPerson, seedSession, session } from '../../testing/store/rows.ts';
import { openTempStore } from '../../testing/store/temp-store.ts';
import { insertInvite, listInvites, revokeInvite, setInviteSession } from './runs/invites.ts';
import {
  findConfirmedPass,
  findLatestPassOfIdentity,
  insertPass,
  lockPass,
  lockPassesOf,
} from './passes/passes.ts';
import {
  countCodesOfSession,
  eraseCodes,
  findLatestCode,
  insertPhoneCode,
  listReadableCodes,
  type PhoneCode,
} from './phone/codes.ts';
import type { Database } from './sql/port.ts';
import { areDistinct, insertDistinctPair } from './reviews/cases.ts';
import { cancelSession, findSession } from './runs/sessions.ts';
import { rebindSession, recordDevice, recordProvenPhone } from './runs/session-holders.ts';
import { deleteRunsBefore } from './people/test-data.ts';

const OWN: Scope = { companyId: 'own', partition: 'test' };
const STRANGERS: [string, Scope][] = [
  ["another company's same partition", { companyId: 'other', partition: 'test' }],
  ["the same company's other partition", { companyId: 'own', partition: 'live' }],
];
const MAIL: Identity = { provider: 'email', identifier: 'alice@example.com' };
const ANYWHERE = { verificationId: null, group: null };
const CODE: PhoneCode = {
  id: 'code',
  sessionId: 'open',
  number: '+12105550123',
  code: '550123',
  sentAt: NOW,
  expiresAt: NOW + 600_000,
  triesLeft: 5,
  delivery: 'none',
};

let db: Database;

beforeEach(async () => {
  db = await openTempStore();
  await seedCompany(db, 'own');
  await seedCompany(db, 'other');
  await seedPerson(db, OWN, 'alice');
  await seedPerson(db, OWN, 'bob');
  const opened = await seedSession(db, session(OWN, 'v-own', 'open'));
  await db.tx(async (tx) => {
    await insertPass(tx, OWN, pass('v-own', 'pass', { personId: 'alice', identity: MAIL }));
    await insertPhoneCode(tx, OWN, CODE);
    await insertDistinctPair(tx, OWN, ['alice', 'bob'], NOW);
    await insertInvite(
      tx,
      {
        id: 'invite',
        scope: OWN,
        verificationId: 'v-own',
        keyId: null,
        request: opened.request,
        sessionId: null,
        createdAt: NOW,
        revokedAt: null,
        generation: 'v3',
        connectUserId: null,
      },
      new Uint8Array(32),
    );
  });
});

describe('to their own scope', () => {
  it('the rows exist', async () => {
    expect((await findConfirmedPass(db, OWN, 'pass'))?.id).toBe('pass');
    expect((await findLatestPassOfIdentity(db, OWN, MAIL, ANYWHERE))?.id).toBe('pass');
    expect(await findLatestCode(db, OWN, 'open')).toEqual(CODE);
    expect(await countCodesOfSession(db, OWN, 'open')).toBe(1);
    expect(await areDistinct(db, OWN, ['bob', 'alice'])).toBe(true);
    expect(await listInvites(db, 'own')).toHaveLength(1);
    expect(await listReadableCodes(db, 'own', { nowMs: NOW, ownPages: false })).toHaveLength(1);
  });
});

describe.each(STRANGERS)('to %s', (_title, scope) => {
  it('passes, codes and pairs do not exist', async () => {
    expect(await findConfirmedPass(db, scope, 'pass')).toBeUndefined();
    expect(await findLatestPassOfIdentity(db, scope, MAIL, ANYWHERE)).toBeUndefined();
    expect(await findLatestCode(db, scope, 'open')).toBeUndefined();
    expect(await countCodesOfSession(db, scope, 'open')).toBe(0);
    expect(await areDistinct(db, scope, ['alice', 'bob'])).toBe(false);
  });

  it('rows cannot be changed', async () => {
    const before = await findSession(db, 'open');
    const changed = await db.tx(async (tx) => [
      await lockPass(tx, scope, 'pass', NOW),
      await lockPassesOf(tx, scope, { personId: 'alice', verificationId: 'v-own' }, NOW),
      await eraseCodes(tx, scope, 'open'),
      await setInviteSession(tx, scope, 'invite', 'open'),
      await rebindSession(tx, scope, 'open', {
        flowTokenHash: new Uint8Array(32),
        device: 'mobile',
        at: NOW,
      }),
      await recordProvenPhone(tx, scope, 'open', CODE.number),
      await recordDevice(tx, scope, 'open', { device: 'mobile', at: NOW }),
      await cancelSession(tx, scope, 'open', NOW),
      ...Object.values(await deleteRunsBefore(tx, scope, ANY_AGE, 100)),
    ]);
    expect(changed.filter((rows) => rows !== 0)).toEqual([]);
    expect(await findSession(db, 'open')).toEqual(before);
    expect((await findConfirmedPass(db, OWN, 'pass'))?.lockedAt).toBeNull();
    expect(await findLatestCode(db, OWN, 'open')).toEqual(CODE);
  });
});

describe('to another company', () => {
  it('invites and readable codes do not exist', async () => {
    expect(await listInvites(db, 'other')).toEqual([]);
    expect(await db.tx((tx) => revokeInvite(tx, 'other', 'invite', NOW))).toBe(0);
    expect(await listReadableCodes(db, 'other', { nowMs: NOW, ownPages: false })).toEqual([]);
  });
});
