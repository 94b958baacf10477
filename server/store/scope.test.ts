/** Decisions §1.2: a row of another company or partition is not found, whatever is requested. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Identity } from '../domain/identity.ts';
import type { Scope } from '../domain/scope.ts';
import {
  NOW,
  pass,
  seedCompany,
  seedPerson,
  seedSession,
  session,
  venueEvent,
  verification,
} from '../../testing/store/rows.ts';
import { openTempStore, tempDir } from '../../testing/store/temp-store.ts';
import { endKeyAt, insertKey, type KeyRow, listKeys, listLiveKeysOf, revokeKey } from './keys/keys.ts';
import { lastFaceChange, listFaceChangesAfter } from './matching/face-changes.ts';
import { addToCohort, countCohorts, listCohort } from './matching/cohort.ts';
import { findPass, insertPass, listPassesOf, recordReads } from './passes/passes.ts';
import {
  bindExternalId,
  bindIdentity,
  findExternalIdOwner,
  findIdentityOwner,
  findPerson,
  findTestFace,
  insertTestFace,
  touchPerson,
} from './people/people.ts';
import type { Database } from './sql/port.ts';
import { findFacesLeft, findFacesOfGroup, hasRuns, listFacesEnds } from './venue/event-faces.ts';
import { insertEvent } from './venue/events.ts';
import {
  decideCase,
  findCase,
  findOpenCaseOf,
  insertCase,
  listOpenCases,
  type ReviewCase,
} from './reviews/cases.ts';
import { endReview, endSession, findSession } from './runs/sessions.ts';
import { recordFailedAttempt } from './runs/session-checks.ts';
import { bindSession, recordConsent } from './runs/session-holders.ts';
import {
  countEnrolled,
  countTemplatesByModel,
  hasOnlyOlderTemplates,
  insertTemplate,
  listTemplatesOf,
  listTemplatesOfPeople,
  listTemplatesWithoutRow,
} from './matching/templates.ts';
import { addLight, listRecentLight } from './capture/page-light.ts';
import { claimSettlement, countSettledOn, latestMeteredDay } from './usage/usage.ts';
import {
  clearDefaultVerification,
  findDefaultVerification,
  findVerification,
  findVerificationByExternalId,
  insertVerification,
  listVerificationsWithOrigin,
  pageVerifications,
  updateVerification,
} from './companies/verifications.ts';

const OWN: Scope = { companyId: 'own', partition: 'test' };
const STRANGERS: [string, Scope][] = [
  ["another company's same partition", { companyId: 'other', partition: 'test' }],
  ["the same company's other partition", { companyId: 'own', partition: 'live' }],
];
const MAIL: Identity = { provider: 'email', identifier: 'alice@example.com' };
const CASE: ReviewCase = {
  id: 'case',
  sessionId: 'waiting',
  passId: 'future-pass',
  reasons: ['collision'],
  groups: [],
  suspectIds: [],
  enrolment: { kind: 'test_face', name: 'alice' },
  score: null,
  openedAt: NOW,
};
const KEY: KeyRow = {
  id: 'key',
  pairId: 'pair',
  lineageId: 'pair',
  companyId: 'own',
  partition: 'test',
  kind: 'sk',
  display: 'sk_test_…abcd',
  createdAt: NOW,
  lastUsedAt: null,
  endsAt: null,
  revokedAt: null,
};

let db: Database;

beforeEach(async () => {
  db = await openTempStore(tempDir());
  await seedCompany(db, 'own');
  await seedCompany(db, 'other');
  await seedPerson(db, OWN, 'alice');
  await seedSession(db, session(OWN, 'v-own', 'open'));
  await seedSession(db, session(OWN, 'v-own', 'waiting', { state: 'in_review' }));
  await db.tx(async (tx) => {
    await insertVerification(
      tx,
      verification('own', 'v2', { externalId: 'flow', origin: 'https://own.example' }),
    );
    await insertKey(tx, KEY, new Uint8Array(32));
    await bindIdentity(tx, OWN, 'alice', MAIL, NOW);
    await bindExternalId(tx, OWN, {
      personId: 'alice',
      externalId: 'acct',
      verificationId: 'v-own',
      at: NOW,
    });
    await insertTestFace(tx, OWN, 'alice', 'alice');
    await insertPass(tx, OWN, pass('v-own', 'pass', { personId: 'alice' }));
    await insertTemplate(tx, OWN, {
      personId: 'alice',
      passId: 'pass',
      model: 'm',
      vector: Float32Array.of(1, 0),
      quality: 1,
      at: NOW,
    });
    await insertEvent(tx, venueEvent(OWN, 'v-own', 'e', { faces: 'event' }));
    await insertTemplate(
      tx,
      { ...OWN, eventId: 'e' },
      {
        ...{ personId: 'alice', passId: 'pass', model: 'm', quality: 1, at: NOW },
        vector: Float32Array.of(0, 1),
      },
    );
    await addToCohort(tx, OWN, 'm', 500);
    await claimSettlement(tx, OWN, '2030-05-15', 10);
    await insertCase(tx, OWN, CASE);
    await addLight(tx, OWN, { kind: 'verification', id: 'v-own' }, true);
  });
});

describe('rows of a scope, to their own', () => {
  it('exist', async () => {
    expect(await findPerson(db, OWN, 'alice')).toEqual({
      id: 'alice',
      metadata: {},
      externalIds: ['acct'],
      identities: [MAIL],
      createdAt: NOW,
      lastSeenAt: NOW,
    });
    expect(await findIdentityOwner(db, OWN, MAIL)).toBe('alice');
    expect(await findExternalIdOwner(db, OWN, 'acct')).toEqual({
      personId: 'alice',
      verificationId: 'v-own',
    });
    expect(await findTestFace(db, OWN, 'alice')).toBe('alice');
    expect(await findPass(db, OWN, 'pass')).toEqual(pass('v-own', 'pass', { personId: 'alice' }));
    expect(await listPassesOf(db, OWN, 'alice')).toHaveLength(1);
    expect(await listTemplatesWithoutRow(db, OWN, 'm', { personId: '', seq: 0 }, 10)).toHaveLength(1);
    expect(await listTemplatesOfPeople(db, OWN, 'm', ['alice'])).toHaveLength(1);
    expect(await countEnrolled(db, OWN, 'm')).toBe(1);
    expect(await listTemplatesOf(db, { ...OWN, eventId: 'e' }, 'm', 'alice')).toHaveLength(1);
    expect(await countEnrolled(db, { ...OWN, eventId: 'another' }, 'm')).toBe(0);
    expect(await findFacesOfGroup(db, OWN, 'e')).toMatchObject({ eventId: 'e', faces: 'event' });
    expect(await findFacesLeft(db, OWN, 'e')).toMatchObject({ faces: 1 });
    expect(await countTemplatesByModel(db, OWN)).toEqual([{ model: 'm', templates: 1, people: 1 }]);
    expect(await hasOnlyOlderTemplates(db, OWN, 'newer', 'alice')).toBe(true);
    expect(await hasOnlyOlderTemplates(db, OWN, 'm', 'alice')).toBe(false);
    expect(await listFaceChangesAfter(db, OWN, 0, 10)).toMatchObject([{ personId: 'alice' }]);
    expect(await lastFaceChange(db, OWN)).toBe(2);
    expect(await listCohort(db, OWN, 'm')).toMatchObject([{ personId: 'alice' }]);
    expect(await countCohorts(db, OWN)).toEqual([{ model: 'm', members: 1 }]);
    expect(await listTemplatesOf(db, OWN, 'm', 'alice')).toHaveLength(1);
    expect(await listTemplatesOf(db, OWN, 'another model', 'alice')).toEqual([]);
    expect(await latestMeteredDay(db, OWN)).toBe('2030-05-15');
    expect(await countSettledOn(db, OWN, '2030-05-15')).toBe(1);
    expect(await findOpenCaseOf(db, OWN, 'waiting')).toMatchObject(CASE);
    expect(await listRecentLight(db, OWN, 'v-own')).toEqual([true]);
  });
});

describe.each(STRANGERS)('to %s', (_title, scope) => {
  it('people, identities, external ids and test faces do not exist', async () => {
    expect(await findPerson(db, scope, 'alice')).toBeUndefined();
    expect(await findIdentityOwner(db, scope, MAIL)).toBeUndefined();
    expect(await findExternalIdOwner(db, scope, 'acct')).toBeUndefined();
    expect(await findTestFace(db, scope, 'alice')).toBeUndefined();
  });

  it('passes do not exist', async () => {
    expect(await findPass(db, scope, 'pass')).toBeUndefined();
    expect(await listPassesOf(db, scope, 'alice')).toEqual([]);
  });

  it('templates do not exist', async () => {
    expect(await listTemplatesWithoutRow(db, scope, 'm', { personId: '', seq: 0 }, 10)).toEqual([]);
    expect(await listTemplatesOfPeople(db, scope, 'm', ['alice'])).toEqual([]);
    expect(await countEnrolled(db, scope, 'm')).toBe(0);
    expect(await listTemplatesOf(db, { ...scope, eventId: 'e' }, 'm', 'alice')).toEqual([]);
    expect(await findFacesOfGroup(db, scope, 'e')).toBeUndefined();
    expect(await findFacesLeft(db, scope, 'e')).toBeUndefined();
    expect(await hasRuns(db, scope, ['e', 'home:e'])).toBe(false);
    expect(await listFacesEnds(db, scope, 'e', 20)).toEqual([]);
    expect(await countTemplatesByModel(db, scope)).toEqual([]);
    expect(await hasOnlyOlderTemplates(db, scope, 'newer', 'alice')).toBe(false);
    expect(await listFaceChangesAfter(db, scope, 0, 10)).toEqual([]);
    expect(await lastFaceChange(db, scope)).toBe(0);
    expect(await listCohort(db, scope, 'm')).toEqual([]);
    expect(await countCohorts(db, scope)).toEqual([]);
    await db.tx((tx) => addToCohort(tx, scope, 'm', 500));
    expect(await listCohort(db, scope, 'm')).toEqual([]);
    expect(await listTemplatesOf(db, scope, 'm', 'alice')).toEqual([]);
  });

  it('usage does not exist, and is counted separately', async () => {
    expect(await latestMeteredDay(db, scope)).toBeNull();
    expect(await countSettledOn(db, scope, '2030-05-15')).toBe(0);
    expect(await db.tx((tx) => claimSettlement(tx, scope, '2030-05-15', 1))).toBe(1);
    expect(await countSettledOn(db, OWN, '2030-05-15')).toBe(1);
  });

  it('cases do not exist', async () => {
    expect(await findOpenCaseOf(db, scope, 'waiting')).toBeUndefined();
  });

  it('the page’s light is not known, and is counted separately', async () => {
    const place = { kind: 'verification', id: 'v-own' } as const;
    expect(await listRecentLight(db, scope, place.id)).toEqual([]);
    await db.tx((tx) => addLight(tx, scope, place, false));
    expect(await listRecentLight(db, OWN, place.id)).toEqual([true]);
  });

  it('rows cannot be changed', async () => {
    const before = await findSession(db, 'open');
    const changed = await db.tx(async (tx) => {
      await touchPerson(tx, scope, 'alice', {
        metadata: { colour: 'red' },
        retentionDays: 1,
        agreedAt: NOW,
        at: NOW + 1,
      });
      return [
        await recordReads(tx, scope, 'pass', 1, NOW),
        await bindSession(tx, scope, 'open', {
          flowTokenHash: new Uint8Array(32).fill(1),
          resumeKeyHash: null,
          device: 'mobile',
          at: NOW,
        }),
        await recordConsent(tx, scope, 'open', { at: NOW, version: '1', language: 'en' }),
        await recordFailedAttempt(tx, scope, 'open', []),
        await endSession(tx, scope, 'open', { state: 'settled', passId: 'pass', at: NOW }),
        await endReview(tx, scope, 'waiting'),
        await decideCase(tx, scope, 'case', { decision: 'same_person', reason: 'r', by: 'b', at: NOW }),
      ];
    });
    expect(changed).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(await findSession(db, 'open')).toEqual(before);
    expect(await findPerson(db, OWN, 'alice')).toMatchObject({ metadata: {}, lastSeenAt: NOW });
  });

  it('the same identity, external id and test face may belong to someone else', async () => {
    await seedPerson(db, scope, 'bob');
    await db.tx(async (tx) => {
      await bindIdentity(tx, scope, 'bob', MAIL, NOW);
      await bindExternalId(tx, scope, {
        personId: 'bob',
        externalId: 'acct',
        verificationId: 'v-own',
        at: NOW,
      });
      if (scope.partition === 'test') await insertTestFace(tx, scope, 'alice', 'bob');
    });
    expect(await findIdentityOwner(db, scope, MAIL)).toBe('bob');
    expect(await findIdentityOwner(db, OWN, MAIL)).toBe('alice');
    expect((await findExternalIdOwner(db, OWN, 'acct'))?.personId).toBe('alice');
  });
});

describe('rows of a company, to another', () => {
  it('verifications do not exist', async () => {
    expect(await findVerification(db, 'own', 'v2')).toBeDefined();
    expect(await findVerification(db, 'other', 'v2')).toBeUndefined();
    expect(await findVerificationByExternalId(db, 'own', 'flow')).toBeDefined();
    expect(await findVerificationByExternalId(db, 'other', 'flow')).toBeUndefined();
    expect((await findDefaultVerification(db, 'other'))?.id).toBe('v-other');
    expect(await listVerificationsWithOrigin(db, 'own')).toHaveLength(1);
    expect(await listVerificationsWithOrigin(db, 'other')).toEqual([]);
    expect((await pageVerifications(db, 'other', 10, 0)).items.map(({ id }) => id)).toEqual(['v-other']);
  });

  it('verifications cannot be changed', async () => {
    const changed = await db.tx(async (tx) => {
      await clearDefaultVerification(tx, 'other');
      return updateVerification(tx, verification('other', 'v2', { redirectUrl: 'https://evil.example' }));
    });
    expect(changed).toBe(0);
    expect((await findVerification(db, 'own', 'v2'))?.redirectUrl).toBeNull();
    expect(await findDefaultVerification(db, 'own')).toBeDefined();
  });

  it('keys do not exist, and cannot be revoked', async () => {
    expect(await listKeys(db, 'own')).toHaveLength(1);
    expect(await listKeys(db, 'other')).toEqual([]);
    expect(await listLiveKeysOf(db, 'other', 'pair')).toEqual([]);
    const changed = await db.tx(async (tx) => [
      await revokeKey(tx, 'other', 'key', NOW, 'reason'),
      await endKeyAt(tx, 'other', 'key', NOW, 'reason'),
    ]);
    expect(changed).toEqual([0, 0]);
  });

  it('cases do not exist', async () => {
    expect(await findCase(db, 'own', 'case')).toMatchObject({ scope: OWN });
    expect(await findCase(db, 'other', 'case')).toBeUndefined();
    expect(await listOpenCases(db, 'own')).toHaveLength(1);
    expect(await listOpenCases(db, 'other')).toEqual([]);
  });
});
