/** Clearing the test partition: what is removed and what stays. */
import { describe, expect, it } from 'vitest';
import { findTestFace } from '../../store/people/people.ts';
import { countSettledOn } from '../../store/usage/usage.ts';
import { verifyAudit } from '../../store/operators/audit.ts';
import { NOW, pass, seedPass, seedPerson, seedSession, session } from '../../../testing/store/rows.ts';
import { run, startRun } from '../../../testing/service/runs.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { captureTestFace } from '../capture/test-capture.ts';
import { createCompany } from '../companies/companies.ts';
import { readConfirmation } from '../passes/confirmations.ts';
import { initialize } from '../runs/initialize.ts';
import { clearOldTestData, clearTestData, TEST_DATA_AGE_DAYS } from './test-data.ts';

const DAY_MS = 86_400_000;

const clearAll = ({ deps, clock, company }: TestService) =>
  clearTestData(deps.db, clock, {
    companyId: company.company_id,
    before: null,
    actor: 'cli',
  });

const rowsOf = async ({ deps }: TestService, table: string) =>
  (await deps.db.one<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`))?.n;

describe('clearing everything', () => {
  it('removes runs, cases, people and their names of the test partition', async () => {
    const service = await openTestService();
    const review = { config: { collision: { action: 'review' }, skip: { window_hours: 0 } } };
    const first = await run(service, 'alice', { email: 'alice@example.com', external_id: 'acct' });
    await run(service, 'alice', review);
    await initialize(service.deps, await service.caller('sk_test'), {
      expire_in_days: 1,
      email: 'invited@example.com',
    });
    const removed = await clearAll(service);
    expect(removed).toMatchObject({ passes: 1, review_cases: 1, sessions: 2, people: 1 });
    for (const table of ['passes', 'sessions', 'people', 'test_faces', 'person_identities', 'invites']) {
      expect([table, await rowsOf(service, table)]).toEqual([table, 0]);
    }
    const read = readConfirmation(service.deps, await service.caller('sk_test'), first.result?.vyt ?? '');
    expect(await refusalOf(read)).toBe('not_found');
    expect((await run(service, 'alice', { email: 'alice@example.com' })).result?.verified).toBe(true);
  });

  it('leaves the live partition, other companies and the counters of the cap', async () => {
    const service = await openTestService();
    const { deps, clock, company } = service;
    const live = service.scope('live');
    await seedPerson(deps.db, live, 'live-alice');
    await seedSession(deps.db, session(live, company.default_verification_id, 'live-session'));
    await seedPass(
      deps.db,
      live,
      pass(company.default_verification_id, 'live-pass', {
        personId: 'live-alice',
        sessionId: 'live-session',
      }),
    );
    const other = await createCompany(deps.db, clock, { name: 'Other', actor: 'cli' });
    const theirs = { companyId: other.company_id, partition: 'test' } as const;
    await seedPass(deps.db, theirs, pass(other.default_verification_id, 'their-pass'));
    await run(service, 'alice');
    await clearAll(service);
    expect(await deps.db.all('SELECT id FROM passes ORDER BY id')).toEqual([
      { id: 'live-pass' },
      { id: 'their-pass' },
    ]);
    expect(await rowsOf(service, 'people')).toBe(1);
    expect(await countSettledOn(deps.db, service.scope('test'), '2030-05-15')).toBe(1);
  });

  it('beside checks that settle leaves each run whole or gone', async () => {
    const service = await openTestService();
    const { db } = service.deps;
    for (let round = 0; round < 5; round += 1) {
      const sessions = [];
      for (let n = 0; n < 6; n += 1) sessions.push(await startRun(service, { email: `${n}@example.com` }));
      const [refusals] = await Promise.all([
        Promise.all(
          sessions.map((one, n) => refusalOf(captureTestFace(service.deps, one, `face-${round}-${n}`))),
        ),
        clearAll(service),
      ]);
      for (const refusal of refusals)
        expect(['(not refused)', 'session_settled', 'not_found']).toContain(refusal);
      await clearAll(service);
      for (const table of ['passes', 'sessions', 'people', 'test_faces', 'person_identities', 'run_events'])
        expect([table, await rowsOf(service, table)]).toEqual([table, 0]);
    }
    expect(await verifyAudit(db)).toMatchObject({ brokenAt: null });
  });

  it('is recorded in the audit log once, and not if there was nothing', async () => {
    const service = await openTestService();
    await run(service, 'alice');
    await clearAll(service);
    await clearAll(service);
    const entries = await service.deps.db.all(
      "SELECT actor FROM audit_entries WHERE action = 'test_data.clear'",
    );
    expect(entries).toEqual([{ actor: 'cli' }]);
    expect(await verifyAudit(service.deps.db)).toMatchObject({ brokenAt: null });
  });

  it('from the console is recorded with its reason', async () => {
    const service = await openTestService();
    const { deps, company } = service;
    await run(service, 'alice');
    const companyId = company.company_id;
    await clearTestData(deps.db, deps.clock, {
      companyId,
      before: null,
      reason: 'opens tonight',
      actor: 'operator:ana',
    });
    const [entry] = await deps.db.all<{ details: string }>(
      "SELECT details FROM audit_entries WHERE action = 'test_data.clear'",
    );
    expect(JSON.parse(entry?.details ?? '{}')).toMatchObject({ reason: 'opens tonight' });
  });
});

describe('the nightly clean-up', () => {
  it('removes what is older than 30 days, of every company, and no one who came since', async () => {
    const service = await openTestService();
    const scope = service.scope('test');
    await run(service, 'old');
    await run(service, 'returning', { group: 'g' });
    service.clock.set(NOW + TEST_DATA_AGE_DAYS * DAY_MS);
    await run(service, 'returning', { group: 'h' });
    await clearOldTestData(service.deps.db, service.clock, service.clock.deletionTime());
    expect(await findTestFace(service.deps.db, scope, 'old')).toBeDefined();
    service.clock.advance(1);
    await clearOldTestData(service.deps.db, service.clock, service.clock.deletionTime());
    expect(await findTestFace(service.deps.db, scope, 'old')).toBeUndefined();
    expect(await findTestFace(service.deps.db, scope, 'returning')).toBeDefined();
    expect(await rowsOf(service, 'passes')).toBe(1);
  });

  it('removes much of it in parts', async () => {
    const service = await openTestService();
    const { deps, company, clock } = service;
    await deps.db.write(
      `INSERT INTO passes (id, company_id, partition, verification_id, status, reasons, groups, declined, settled_at, generation)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
       SELECT 'many-' || i, ?, 'test', ?, 'approved', '[]', '[]', 0, 1, 'v3' FROM n`,
      company.company_id,
      company.default_verification_id,
    );
    await clearOldTestData(deps.db, clock, clock.deletionTime());
    expect(await rowsOf(service, 'passes')).toBe(0);
    const parts = await deps.db.all<{ details: string }>(
      "SELECT details FROM audit_entries WHERE action = 'test_data.clear' ORDER BY seq",
    );
    const passes = parts.map(({ details }) => (JSON.parse(details) as { removed: object }).removed);
    expect(passes).toMatchObject([{ passes: 500 }, { passes: 100 }]);
  });
});
