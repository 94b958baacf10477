/** The database itself enforces rules that a race could break. */
import { describe, expect, it } from 'vitest';
import type { Scope } from '../domain/scope.ts';
import {
  kiosk,
  NOW,
  pass,
  seedCompany,
  seedPass,
  seedPerson,
  seedSession,
  session,
  verification,
} from '../../testing/store/rows.ts';
import { openTempStore } from '../../testing/store/temp-store.ts';
import { insertKey, type KeyRow } from './keys/keys.ts';
import { insertTemplate } from './matching/templates.ts';
import { insertPass } from './passes/passes.ts';
import { bindExternalId, bindIdentity, findIdentityOwner, insertTestFace } from './people/people.ts';
import { type Database, type SqlTx, UniqueViolation } from './sql/port.ts';
import { decideCase, findOpenCaseOf, insertCase, insertDistinctPair } from './reviews/cases.ts';
import { endSession, findSession } from './runs/sessions.ts';
import { recordFailedAttempt } from './runs/session-checks.ts';
import { bindSession, recordConsent } from './runs/session-holders.ts';
import { addLight } from './capture/page-light.ts';
import { insertKiosk } from './venue/kiosks.ts';
import { claimSettlement, countSettledOn } from './usage/usage.ts';
import { clearDefaultVerification, insertVerification } from './companies/verifications.ts';

const TEST: Scope = { companyId: 'c', partition: 'test' };
const DAY = '2030-05-15';

async function openSeeded(): Promise<Database> {
  const db = await openTempStore();
  await seedCompany(db, 'c');
  return db;
}

/** @param by name of a unique constraint; null for a check */
async function expectRefused(
  db: Database,
  by: string | null,
  work: (tx: SqlTx) => Promise<unknown>,
): Promise<void> {
  const error: unknown = await db.tx(work).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (by === null) expect(String(error)).toMatch(/check constraint/i);
  else expect(error).toEqual(new UniqueViolation(by));
}

it('what is known of the page’s light ends with its kiosk or verification', async () => {
  const db = await openSeeded();
  await db.tx(async (tx) => {
    await insertKiosk(tx, kiosk('c', 'k', { codeHash: new Uint8Array(32) }));
    await insertVerification(tx, verification('c', 'v2'));
    await addLight(tx, TEST, { kind: 'kiosk', id: 'k' }, true);
    await addLight(tx, TEST, { kind: 'verification', id: 'v2' }, true);
  });
  const places = () => db.all('SELECT place_id AS id FROM page_light ORDER BY place_id');
  expect(await places()).toEqual([{ id: 'k' }, { id: 'v2' }]);
  await db.write('DELETE FROM kiosks');
  expect(await places()).toEqual([{ id: 'v2' }]);
  await db.write(`DELETE FROM verifications WHERE id = 'v2'`);
  expect(await places()).toEqual([]);
});

it('sealing a template again changes no face, replacing it with one of another person does', async () => {
  const db = await openSeeded();
  for (const id of ['p', 'q']) await seedPerson(db, TEST, id);
  const template = {
    personId: 'p',
    passId: 'x',
    model: 'm',
    vector: new Float32Array(8),
    quality: 1,
    at: NOW,
  };
  await db.tx((tx) => insertTemplate(tx, TEST, template));
  const changes = () => db.all('SELECT seq, person_id AS id FROM face_changes ORDER BY seq');
  const before = await changes();
  await db.write('UPDATE templates SET vector = ?', Buffer.alloc(32, 1));
  expect(await changes()).toEqual(before);
  await db.write(`UPDATE templates SET person_id = 'q'`);
  expect((await changes()).at(-1)).toMatchObject({ id: 'q' });
});

describe('one settlement per session', () => {
  it('a second pass of the same session is refused', async () => {
    const db = await openSeeded();
    await seedSession(db, session(TEST, 'v-c', 's'));
    await seedPass(db, TEST, pass('v-c', 'p1', { sessionId: 's' }));
    await expectRefused(db, 'passes_session_id_key', (tx) =>
      insertPass(tx, TEST, pass('v-c', 'p2', { sessionId: 's' })),
    );
  });

  it('a session is ended once, and an ended one is not ended again', async () => {
    const db = await openSeeded();
    await seedSession(db, session(TEST, 'v-c', 's'));
    const end = { state: 'settled', passId: null, at: NOW } as const;
    const ended = await Promise.all(
      Array.from({ length: 10 }, () => db.tx((tx) => endSession(tx, TEST, 's', end))),
    );
    expect(ended.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  });

  it('a session belongs to the page that opened it last until its person has acted', async () => {
    const db = await openSeeded();
    await seedSession(db, session(TEST, 'v-c', 's'));
    const open = (n: number) => {
      const claim = {
        flowTokenHash: Uint8Array.of(n),
        resumeKeyHash: null,
        device: 'mobile',
        at: NOW,
      } as const;
      return db.tx((tx) => bindSession(tx, TEST, 's', claim));
    };
    expect(await Promise.all([1, 2, 3].map(open))).toEqual([1, 1, 1]);
    const holder = (await findSession(db, 's'))?.flowTokenHash;
    await db.tx((tx) => recordConsent(tx, TEST, 's', { at: NOW, version: '1', language: 'en' }));
    expect(await Promise.all([4, 5].map(open))).toEqual([0, 0]);
    expect((await findSession(db, 's'))?.flowTokenHash).toEqual(holder);
  });

  it('no more attempts are used than there are', async () => {
    const db = await openSeeded();
    await seedSession(db, session(TEST, 'v-c', 's', { attemptsLeft: 2 }));
    const taken = await Promise.all(
      Array.from({ length: 5 }, () => db.tx((tx) => recordFailedAttempt(tx, TEST, 's', ['blurred']))),
    );
    expect(taken.toSorted()).toEqual([0, 0, 0, 1, 1]);
    expect(await findSession(db, 's')).toMatchObject({ attemptsLeft: 0, findings: ['blurred'] });
  });
});

describe('a pass', () => {
  it('that is denied has at least one reason (contract, confirmation `reasons`)', async () => {
    const db = await openSeeded();
    await expectRefused(db, null, (tx) => insertPass(tx, TEST, pass('v-c', 'p', { status: 'denied' })));
  });

  it.each([-1, 101])('has no score of %i', async (score) => {
    const db = await openSeeded();
    await expectRefused(db, null, (tx) => insertPass(tx, TEST, pass('v-c', 'p', { score })));
  });
});

describe('one default verification per company', () => {
  it('a second one is refused until the first is cleared', async () => {
    const db = await openSeeded();
    const second = verification('c', 'v2', { isDefault: true });
    await expectRefused(db, 'verifications_default', (tx) => insertVerification(tx, second));
    await db.tx(async (tx) => {
      await clearDefaultVerification(tx, 'c');
      await insertVerification(tx, second);
    });
  });

  it('one verification for each external_id of the company', async () => {
    const db = await openSeeded();
    await seedCompany(db, 'd');
    await db.tx((tx) => insertVerification(tx, verification('c', 'v2', { externalId: 'flow' })));
    await expectRefused(db, 'verifications_external', (tx) =>
      insertVerification(tx, verification('c', 'v3', { externalId: 'flow' })),
    );
    await db.tx((tx) => insertVerification(tx, verification('d', 'v4', { externalId: 'flow' })));
  });
});

describe('one open case per session', () => {
  const opened = (id: string) => ({
    id,
    sessionId: 's',
    passId: `pass-${id}`,
    reasons: [],
    groups: [],
    suspectIds: [],
    enrolment: { kind: 'template', model: 'm', vector: Float32Array.of(0.5, -0.25), quality: 0.9 } as const,
    score: 12,
    openedAt: NOW,
  });

  it('a second one is refused until the first is decided, and a decision counts once', async () => {
    const db = await openSeeded();
    await seedSession(db, session(TEST, 'v-c', 's'));
    await db.tx((tx) => insertCase(tx, TEST, opened('a')));
    await expectRefused(db, 'review_cases_open', (tx) => insertCase(tx, TEST, opened('b')));
    const decision = { decision: 'same_person', reason: 'r', by: 'operator:1', at: NOW } as const;
    expect(await db.tx((tx) => decideCase(tx, TEST, 'a', decision))).toBe(1);
    expect(await db.tx((tx) => decideCase(tx, TEST, 'a', decision))).toBe(0);
    await db.tx((tx) => insertCase(tx, TEST, opened('b')));
  });

  it('has nothing to enrol if an older version stored an empty test face', async () => {
    const db = await openSeeded();
    await seedSession(db, session(TEST, 'v-c', 's'));
    await db.tx((tx) => insertCase(tx, TEST, { ...opened('a'), enrolment: null }));
    await db.write("UPDATE review_cases SET test_face = ''");
    expect((await findOpenCaseOf(db, TEST, 's'))?.enrolment).toBeNull();
  });

  it('keeps the checked data until it is decided', async () => {
    const db = await openSeeded();
    await seedSession(db, session(TEST, 'v-c', 's'));
    await db.tx((tx) => insertCase(tx, TEST, opened('a')));
    expect((await findOpenCaseOf(db, TEST, 's'))?.enrolment).toEqual(opened('a').enrolment);
  });
});

describe('an identity or external id belongs to only one person of the scope', () => {
  it('cannot be bound to another person', async () => {
    const db = await openSeeded();
    await seedPerson(db, TEST, 'alice');
    await seedPerson(db, TEST, 'bob');
    const mail = { provider: 'email', identifier: 'a@example.com' } as const;
    const account = (personId: string) => ({
      personId,
      externalId: 'acct',
      verificationId: 'v-c',
      at: NOW,
    });
    await db.tx(async (tx) => {
      await bindIdentity(tx, TEST, 'alice', mail, NOW);
      await bindExternalId(tx, TEST, account('alice'));
    });
    await expectRefused(db, 'person_identities_pkey', (tx) => bindIdentity(tx, TEST, 'bob', mail, NOW));
    await expectRefused(db, 'person_external_ids_pkey', (tx) => bindExternalId(tx, TEST, account('bob')));
    await db.tx(async (tx) => {
      await bindIdentity(tx, TEST, 'alice', mail, NOW + 1);
      await bindExternalId(tx, TEST, account('alice'));
    });
    expect(await findIdentityOwner(db, TEST, mail)).toBe('alice');
  });

  it('a test face exists only in the test partition', async () => {
    const db = await openSeeded();
    const live: Scope = { companyId: 'c', partition: 'live' };
    await seedPerson(db, live, 'alice');
    await expectRefused(db, null, (tx) =>
      tx.run(
        'INSERT INTO test_faces (company_id, partition, name, person_id) VALUES (?, ?, ?, ?)',
        'c',
        'live',
        'alice',
        'alice',
      ),
    );
  });

  it('a test face stays with its first person', async () => {
    const db = await openSeeded();
    await seedPerson(db, TEST, 'alice');
    await seedPerson(db, TEST, 'bob');
    await db.tx(async (tx) => {
      await insertTestFace(tx, TEST, 'face', 'alice');
      await insertTestFace(tx, TEST, 'face', 'bob');
    });
    const row = await db.one<{ personId: string }>('SELECT person_id AS personId FROM test_faces');
    expect(row?.personId).toBe('alice');
  });
});

describe('keys', () => {
  it('the same key cannot exist twice', async () => {
    const db = await openSeeded();
    const key = (id: string): KeyRow => ({
      id,
      pairId: id,
      lineageId: id,
      companyId: 'c',
      partition: 'test',
      kind: 'sk',
      display: '',
      createdAt: NOW,
      lastUsedAt: null,
      endsAt: null,
      revokedAt: null,
    });
    const hash = new Uint8Array(32).fill(7);
    await db.tx((tx) => insertKey(tx, key('k1'), hash));
    await expectRefused(db, 'keys_hash_key', (tx) => insertKey(tx, key('k2'), hash));
  });
});

describe('distinct pairs', () => {
  it('are one pair in either order, and never one person twice', async () => {
    const db = await openSeeded();
    await seedPerson(db, TEST, 'alice');
    await seedPerson(db, TEST, 'bob');
    await db.tx(async (tx) => {
      await insertDistinctPair(tx, TEST, ['bob', 'alice'], NOW);
      await insertDistinctPair(tx, TEST, ['alice', 'bob'], NOW);
      await insertDistinctPair(tx, TEST, ['alice', 'alice'], NOW);
    });
    expect(await db.all('SELECT person_a AS a, person_b AS b FROM distinct_pairs')).toEqual([
      { a: 'alice', b: 'bob' },
    ]);
  });
});

describe('the daily cap (decisions §5, rule 3)', () => {
  it.each([1, 7, 50])(
    'lets exactly %i of 50 concurrent runs through, and the counter never exceeds it',
    async (cap) => {
      const db = await openSeeded();
      const claims = await Promise.all(
        Array.from({ length: 50 }, () => db.tx((tx) => claimSettlement(tx, TEST, DAY, cap))),
      );
      expect(claims.filter(Boolean)).toHaveLength(cap);
      expect(await countSettledOn(db, TEST, DAY)).toBe(cap);
    },
  );

  it('lets nobody through at 0', async () => {
    const db = await openSeeded();
    expect(await db.tx((tx) => claimSettlement(tx, TEST, DAY, 0))).toBeNull();
    expect(await countSettledOn(db, TEST, DAY)).toBe(0);
  });

  it('is restored when a settlement fails', async () => {
    const db = await openSeeded();
    const lost = db.tx(async (tx) => {
      await claimSettlement(tx, TEST, DAY, 1);
      throw new Error('the settlement failed');
    });
    await expect(lost).rejects.toThrow('failed');
    expect(await db.tx((tx) => claimSettlement(tx, TEST, DAY, 1))).not.toBeNull();
  });

  it('counts live and test separately, and each day on its own', async () => {
    const db = await openSeeded();
    const live: Scope = { companyId: 'c', partition: 'live' };
    await db.tx(async (tx) => {
      expect(await claimSettlement(tx, TEST, DAY, 1)).not.toBeNull();
      expect(await claimSettlement(tx, live, DAY, 1)).not.toBeNull();
      expect(await claimSettlement(tx, TEST, DAY, 1)).toBeNull();
      expect(await claimSettlement(tx, TEST, '2030-05-16', 1)).not.toBeNull();
    });
  });

  it('lowered below the count lets nobody through; raised again, only the difference', async () => {
    const db = await openSeeded();
    await db.tx(async (tx) => {
      for (let n = 0; n < 3; n++) await claimSettlement(tx, TEST, DAY, 5);
      expect(await claimSettlement(tx, TEST, DAY, 2)).toBeNull();
      expect(await claimSettlement(tx, TEST, DAY, 4)).not.toBeNull();
      expect(await claimSettlement(tx, TEST, DAY, 4)).toBeNull();
    });
  });
});
