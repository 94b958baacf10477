/** Settling on a real database, with test faces (decisions §5 and §6). */
import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../contract/flow.ts';
import type { InitializeRequest } from '../contract/v3.ts';
import { setDailyLimit } from '../store/companies.ts';
import { findPass, listPassesOf, type Pass } from '../store/passes.ts';
import { findIdentityOwner, findPerson, findTestFace } from '../store/people.ts';
import { listOpenCases } from '../store/review-cases.ts';
import { findSession, type Session } from '../store/sessions.ts';
import { countSettledOn } from '../store/usage.ts';
import { verifyAudit } from '../store/audit.ts';
import { openTestService, refusalOf, type TestService } from '../testing/temp-service.ts';
import { decline, giveConsent } from './flow.ts';
import { initialize } from './initialize.ts';
import { captureTestFace } from './test-capture.ts';

const HOUR_MS = 3_600_000;
const TODAY = '2030-05-15';

/** A test session past its consent. */
async function start(service: TestService, body: InitializeRequest = {}): Promise<Session> {
  const { deps } = service;
  const { session_id: id } = await initialize(deps, await service.caller('sk_test'), body);
  const opened = (await findSession(deps.db, id ?? ''))!;
  await giveConsent(deps, opened, { accepted: true });
  return (await findSession(deps.db, opened.id))!;
}

/** One whole run of a test face. */
async function run(service: TestService, face: string, body: InitializeRequest = {}): Promise<Snapshot> {
  return captureTestFace(service.deps, await start(service, body), face);
}

async function passOf({ deps, scope }: TestService, snapshot: Snapshot): Promise<Pass> {
  const session = (await findSession(deps.db, snapshot.session_id))!;
  return (await findPass(deps.db, scope('test'), session.passId ?? ''))!;
}

const settled = async (service: TestService) =>
  (await service.deps.db.one<{ n: number }>('SELECT COUNT(*) AS n FROM passes'))?.n;
const metered = ({ deps, scope }: TestService) => countSettledOn(deps.db, scope('test'), TODAY);
const NO_SKIP = { config: { skip: { window_hours: 0 } } };

describe('one settlement a session', () => {
  it('of many captures at once of one session, one settles and the others are refused', async () => {
    const service = await openTestService();
    const session = await start(service);
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => captureTestFace(service.deps, session, 'alice')),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'session_settled' });
    }
    expect(await settled(service)).toBe(1);
    expect(await metered(service)).toBe(1);
  });

  it('a capture and a decline at once leave one verdict', async () => {
    const service = await openTestService();
    const session = await start(service);
    const results = await Promise.allSettled([
      decline(service.deps, session),
      captureTestFace(service.deps, session, 'alice'),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await settled(service)).toBe(1);
  });

  it('of many sessions of one face at once, one is approved and the others collide', async () => {
    const service = await openTestService();
    const sessions = await Promise.all(Array.from({ length: 12 }, () => start(service, NO_SKIP)));
    const ended = await Promise.all(
      sessions.map((session) => captureTestFace(service.deps, session, 'alice')),
    );
    expect(ended.filter(({ result }) => result?.verified)).toHaveLength(1);
    const people = await service.deps.db.one<{ n: number }>('SELECT COUNT(*) AS n FROM people');
    expect(people?.n).toBe(1);
  });

  it('two faces that bring one identity at once: the second is a mismatch', async () => {
    const service = await openTestService();
    const body = { email: 'one@example.com' };
    const sessions = [await start(service, body), await start(service, body)];
    const ended = await Promise.all(
      sessions.map((session, n) => captureTestFace(service.deps, session, `face-${n}`)),
    );
    const passes = await Promise.all(ended.map((snapshot) => passOf(service, snapshot)));
    expect(passes.map(({ reasons }) => reasons)).toEqual([[], ['identity_mismatch']]);
  });
});

describe('rule 3: the daily cap', () => {
  const cap = ({ deps, company }: TestService, daily: number) =>
    deps.db.tx((tx) => setDailyLimit(tx, company.company_id, daily));

  it.each([0, 1, 7])('of %i lets exactly so many of 50 at once through', async (daily) => {
    const service = await openTestService();
    await cap(service, daily);
    const sessions = await Promise.all(Array.from({ length: 50 }, () => start(service)));
    const ended = await Promise.all(
      sessions.map((session, n) => captureTestFace(service.deps, session, `face-${n}`)),
    );
    expect(ended.filter(({ result }) => result?.verified)).toHaveLength(daily);
    expect(await metered(service)).toBe(daily);
    const denied = await Promise.all(
      ended.filter(({ result }) => !result?.verified).map((snapshot) => passOf(service, snapshot)),
    );
    for (const pass of denied) expect(pass.reasons).toEqual(['usage_cap_exceeded']);
  });

  it('resets at 00:00 UTC, and a clock set back does not reopen the day before', async () => {
    const service = await openTestService();
    await cap(service, 1);
    const denied = async (face: string) =>
      (await passOf(service, await run(service, face))).reasons.includes('usage_cap_exceeded');
    expect(await denied('a')).toBe(false);
    expect(await denied('b')).toBe(true);
    service.clock.set(Date.UTC(2030, 4, 15, 23, 59, 59, 999));
    expect(await denied('c')).toBe(true);
    service.clock.set(Date.UTC(2030, 4, 16));
    expect(await denied('d')).toBe(false);
    service.clock.set(Date.UTC(2030, 4, 15, 23));
    expect(await denied('e')).toBe(true);
  });

  it('a skip and a decline take nothing of it', async () => {
    const service = await openTestService();
    await run(service, 'alice');
    expect(await metered(service)).toBe(1);
    await run(service, 'alice');
    await decline(service.deps, await start(service));
    expect(await metered(service)).toBe(1);
  });

  it('live runs are counted apart', async () => {
    const service = await openTestService();
    await run(service, 'alice');
    expect(await countSettledOn(service.deps.db, service.scope('live'), TODAY)).toBe(0);
  });
});

describe('rule 4: attempts', () => {
  it.each([
    ['blurred', 'liveness_failed'],
    ['spoof', 'spoof_suspected'],
  ])('%s three times ends as %s', async (face, reason) => {
    const service = await openTestService();
    const session = await start(service);
    for (const left of [2, 1]) {
      expect(await captureTestFace(service.deps, session, face)).toMatchObject({
        state: 'open',
        attempts_left: left,
      });
    }
    const last = await captureTestFace(service.deps, session, face);
    expect(last).toMatchObject({ state: 'settled', result: { verified: false, vyc: 0 } });
    expect((await passOf(service, last)).reasons).toEqual([reason]);
    expect(await metered(service)).toBe(1);
  });

  it('a good capture after a bad one is approved', async () => {
    const service = await openTestService();
    const session = await start(service);
    await captureTestFace(service.deps, session, 'blurred');
    expect((await captureTestFace(service.deps, session, 'alice')).result?.verified).toBe(true);
  });
});

describe('rule 2: the skip', () => {
  it('gives a token for the earlier pass; no new pass', async () => {
    const service = await openTestService();
    const first = await run(service, 'alice');
    service.clock.advance(HOUR_MS);
    const second = await run(service, 'alice');
    expect(second.result).toMatchObject({ verified: true, vyc: 1 });
    expect((await passOf(service, second)).id).toBe((await passOf(service, first)).id);
    expect(second.result?.vyt).not.toBe(first.result?.vyt);
    expect(await settled(service)).toBe(1);
  });

  it('ends after 24 hours', async () => {
    const service = await openTestService();
    await run(service, 'alice');
    service.clock.advance(24 * HOUR_MS);
    expect((await passOf(service, await run(service, 'alice'))).reasons).toEqual(['collision_company']);
  });

  it('of a seeded identity asks for no capture', async () => {
    const service = await openTestService();
    const account = { email: 'alice@example.com', external_id: 'acct' };
    await run(service, 'alice', account);
    const session = await start(service, account);
    expect(session).toMatchObject({ state: 'settled' });
    expect(await settled(service)).toBe(1);
  });
});

describe('rule 6 and 7: findings', () => {
  it('the same person passes once per group', async () => {
    const service = await openTestService();
    expect((await run(service, 'alice', { group: 'g', external_id: 'a' })).result?.verified).toBe(true);
    expect((await run(service, 'alice', { group: 'h' })).result?.verified).toBe(true);
    const again = await passOf(service, await run(service, 'alice', { group: 'h', ...NO_SKIP }));
    expect(again).toMatchObject({ status: 'denied', reasons: ['collision'], group: 'h', groups: ['h'] });
  });

  it('include_groups: included groups are read, never written', async () => {
    const service = await openTestService();
    await run(service, 'alice', { group: 'h' });
    const body = { group: 'g', include_groups: ['h', 'h', 'g'] };
    const hit = await passOf(service, await run(service, 'alice', body));
    expect(hit).toMatchObject({ status: 'denied', reasons: ['collision'], group: 'g', groups: ['h'] });
    expect((await run(service, 'bob', body)).result?.verified).toBe(true);
    expect((await run(service, 'bob', { group: 'h' })).result?.verified).toBe(true);
  });

  it('flag: approved with reasons, presented as flagged, and metered', async () => {
    const service = await openTestService();
    const config = { collision: { action: 'flag' }, skip: { window_hours: 0 } };
    await run(service, 'alice', { config });
    const second = await run(service, 'alice', { config });
    expect(second.result).toMatchObject({ verified: true, presented: 'flagged', vyc: 1 });
    expect((await passOf(service, second)).reasons).toEqual(['collision_company']);
    expect(await metered(service)).toBe(2);
  });

  it('review: the run waits, a case opens, there is no confirmation yet, and it is metered', async () => {
    const service = await openTestService();
    const config = { collision: { action: 'review' }, skip: { window_hours: 0 } };
    await run(service, 'alice', { config });
    const waiting = await run(service, 'alice', { config });
    expect(waiting).toMatchObject({ state: 'in_review', result: { verified: false, presented: 'pending' } });
    expect(await passOf(service, waiting)).toBeUndefined();
    expect(await listOpenCases(service.deps.db, service.company.company_id)).toMatchObject([
      { sessionId: waiting.session_id, reasons: ['collision_company'], enrolment: { name: 'alice' } },
    ]);
    expect(await metered(service)).toBe(2);
  });

  it('near:alice is a near match of alice, both ways: only a review looks at it', async () => {
    const service = await openTestService();
    const config = { collision: { action: 'review' } };
    await run(service, 'alice');
    expect((await run(service, 'near:alice', { config })).state).toBe('in_review');
    expect((await run(service, 'near:alice')).result?.verified).toBe(true);
    await run(service, 'near:bob');
    expect((await run(service, 'bob', { config })).state).toBe('in_review');
  });
});

describe('rule 9: what an approval leaves', () => {
  it('binds identity, external_id and metadata to one new person', async () => {
    const service = await openTestService();
    const { deps } = service;
    const scope = service.scope('test');
    await run(service, 'alice', {
      email: 'Alice@example.com',
      external_id: 'acct',
      metadata: { team: 'red', rank: 1 },
    });
    const id = (await findTestFace(deps.db, scope, 'alice'))!;
    expect(await findPerson(deps.db, scope, id)).toMatchObject({
      externalIds: ['acct'],
      identities: [{ provider: 'email', identifier: 'alice@example.com' }],
      metadata: { team: 'red', rank: 1 },
    });
    expect(await listPassesOf(deps.db, scope, id)).toMatchObject([
      { externalId: 'acct', identity: { provider: 'email', identifier: 'alice@example.com' } },
    ]);
  });

  it('newer metadata replaces fields of the same name and leaves the others', async () => {
    const service = await openTestService();
    await run(service, 'alice', { external_id: 'acct', metadata: { team: 'red', rank: 1 } });
    await run(service, 'alice', { external_id: 'acct', metadata: { team: 'blue' } });
    const id = (await findTestFace(service.deps.db, service.scope('test'), 'alice'))!;
    expect((await findPerson(service.deps.db, service.scope('test'), id))?.metadata).toEqual({
      team: 'blue',
      rank: 1,
    });
  });

  it('a denial binds nothing', async () => {
    const service = await openTestService();
    const { deps } = service;
    const session = await start(service, { email: 'alice@example.com' });
    for (let n = 0; n < 3; n++) await captureTestFace(deps, session, 'spoof');
    const mail = { provider: 'email', identifier: 'alice@example.com' } as const;
    expect(await findIdentityOwner(deps.db, service.scope('test'), mail)).toBeUndefined();
    expect(await findTestFace(deps.db, service.scope('test'), 'spoof')).toBeUndefined();
  });

  it('every verdict stands in the audit log, which verifies, without naming the person', async () => {
    const service = await openTestService();
    await run(service, 'alice', {
      email: 'alice@example.com',
      external_id: 'acct',
      metadata: { a: 'secret' },
    });
    await run(service, 'alice');
    await decline(service.deps, await start(service));
    const rows = await service.deps.db.all<{ action: string; details: string }>(
      "SELECT action, details FROM audit_entries WHERE action LIKE 'run.%' ORDER BY seq",
    );
    expect(rows.map(({ action }) => action)).toEqual(['run.settle', 'run.skip', 'run.settle']);
    expect(JSON.stringify(rows)).not.toMatch(/alice|acct|secret/);
    expect(await verifyAudit(service.deps.db)).toMatchObject({ brokenAt: null });
  });
});

describe('test faces exist in the test partition alone', () => {
  it('a live session is refused', async () => {
    const service = await openTestService();
    const { deps } = service;
    const { session_id: id } = await initialize(deps, await service.caller('pk_live'), {});
    const live = (await findSession(deps.db, id ?? ''))!;
    await giveConsent(deps, live, { accepted: true });
    const consented = (await findSession(deps.db, live.id))!;
    expect(await refusalOf(captureTestFace(deps, consented, 'alice'))).toBe('test_partition_only');
  });
});
