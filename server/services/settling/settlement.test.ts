/** Settling on a real database: races, the daily cap, attempts and the skip (decisions §5, rules 2 to 4). */
import { describe, expect, it } from 'vitest';
import { setDailyLimit } from '../../store/companies/companies.ts';
import { findVerification } from '../../store/companies/verifications.ts';
import type { Session } from '../../store/runs/sessions.ts';
import { countSettledOn } from '../../store/usage/usage.ts';
import { NO_SKIP, passOf, run, startRun } from '../../../testing/service/runs.ts';
import { openTestService, type TestService } from '../../../testing/service/temp-service.ts';
import { decline } from '../runs/flow.ts';
import { captureTestFace } from '../capture/test-capture.ts';
import { identify, searchFaceIndex } from '../matching/identification.ts';
import { settleChecked } from './settlement.ts';

const HOUR_MS = 3_600_000;
const TODAY = '2030-05-15';

const settled = async (service: TestService) =>
  (await service.deps.db.one<{ n: number }>('SELECT COUNT(*) AS n FROM passes'))?.n;
const metered = ({ deps, scope }: TestService) => countSettledOn(deps.db, scope('test'), TODAY);

describe('one settlement per session', () => {
  it('of many concurrent captures of one session, one settles and the others are refused', async () => {
    const service = await openTestService();
    const session = await startRun(service);
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

  it('a concurrent capture and decline leave one verdict', async () => {
    const service = await openTestService();
    const session = await startRun(service);
    const results = await Promise.allSettled([
      decline(service.deps, session),
      captureTestFace(service.deps, session, 'alice'),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await settled(service)).toBe(1);
  });

  it('of many concurrent sessions of one face, one is approved and the others collide', async () => {
    const service = await openTestService();
    const sessions = await Promise.all(Array.from({ length: 12 }, () => startRun(service, NO_SKIP)));
    const ended = await Promise.all(
      sessions.map((session) => captureTestFace(service.deps, session, 'alice')),
    );
    expect(ended.filter(({ result }) => result?.verified)).toHaveLength(1);
    const people = await service.deps.db.one<{ n: number }>('SELECT COUNT(*) AS n FROM people');
    expect(people?.n).toBe(1);
  });

  it('of many concurrent captures of one new face, one is approved and the others collide', async () => {
    const service = await openTestService();
    const { deps } = service;
    const probe = Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0);
    const sessions = await Promise.all(Array.from({ length: 8 }, () => startRun(service, NO_SKIP)));
    const capture = async (session: Session) => {
      const search = await searchFaceIndex(deps, session.scope, probe);
      const verification = await findVerification(deps.db, session.scope.companyId, session.verificationId);
      await settleChecked(
        deps,
        { session, verification },
        {
          liveness: { passed: true },
          findings: [],
          guard: async () => true,
          identify: async (tx, owners) => ({
            ...(await identify(deps, tx, { session, owners }, search)),
            enrolment: { kind: 'template', model: deps.faces.embeddingModel, vector: probe, quality: 1 },
            score: 1,
          }),
        },
      );
    };
    await Promise.all(sessions.map(capture));
    const approved = await deps.db.one(`SELECT COUNT(*) AS n FROM passes WHERE status = 'approved'`);
    expect([approved, await deps.db.one('SELECT COUNT(*) AS n FROM people')]).toEqual([{ n: 1 }, { n: 1 }]);
  });

  it('of two faces that bring one identity at the same time, the second is a mismatch', async () => {
    const service = await openTestService();
    const body = { email: 'one@example.com' };
    const sessions = [await startRun(service, body), await startRun(service, body)];
    const ended = await Promise.all(
      sessions.map((session, n) => captureTestFace(service.deps, session, `face-${n}`)),
    );
    const passes = await Promise.all(ended.map((snapshot) => passOf(service, snapshot)));
    // Either may settle first.
    expect(passes.flatMap(({ reasons }) => reasons)).toEqual(['identity_mismatch']);
    expect(passes.filter(({ reasons }) => reasons.length === 0)).toHaveLength(1);
  });

  it('of a known face whose check is skipped and a new one that bring one identity at the same time, one gets it', async () => {
    const service = await openTestService();
    for (const n of [1, 2, 3, 4, 5]) {
      await run(service, `known-${n}`);
      const body = { email: `shared-${n}@example.com` };
      const sessions = [await startRun(service, body), await startRun(service, body)] as const;
      const [known, unknown] = await Promise.all([
        captureTestFace(service.deps, sessions[0], `known-${n}`),
        captureTestFace(service.deps, sessions[1], `unknown-${n}`),
      ]);
      const passes = [await passOf(service, known), await passOf(service, unknown)];
      // Either may settle first.
      expect(passes.flatMap(({ reasons }) => reasons)).toEqual(['identity_mismatch']);
    }
  });
});

describe('rule 3: the daily cap', () => {
  const cap = ({ deps, company }: TestService, daily: number) =>
    deps.db.tx((tx) => setDailyLimit(tx, company.company_id, daily));

  it.each([0, 1, 7])('of %i lets exactly that many of 12 concurrent runs through', async (daily) => {
    const service = await openTestService();
    await cap(service, daily);
    const sessions = await Promise.all(Array.from({ length: 12 }, () => startRun(service)));
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

  it('resets at 00:00 UTC, and setting the clock back does not reopen the previous day', async () => {
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

  it('a skip and a decline do not count', async () => {
    const service = await openTestService();
    await run(service, 'alice');
    expect(await metered(service)).toBe(1);
    await run(service, 'alice');
    await decline(service.deps, await startRun(service));
    expect(await metered(service)).toBe(1);
  });

  it('live runs are counted separately', async () => {
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
    const session = await startRun(service);
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
    const session = await startRun(service);
    await captureTestFace(service.deps, session, 'blurred');
    expect((await captureTestFace(service.deps, session, 'alice')).result?.verified).toBe(true);
  });
});

describe('rule 2: the skip', () => {
  it('returns a token for the earlier pass, and creates no new pass', async () => {
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

  it('of a seeded identity requires no capture', async () => {
    const service = await openTestService();
    const account = { email: 'alice@example.com', external_id: 'acct' };
    await run(service, 'alice', account);
    const session = await startRun(service, account);
    expect(session).toMatchObject({ state: 'settled' });
    expect(await settled(service)).toBe(1);
  });
});
