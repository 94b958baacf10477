import { expect, it } from 'vitest';
import { NO_SKIP, run } from '../../../testing/service/runs.ts';
import { openTestService, testClock } from '../../../testing/service/temp-service.ts';
import { seedCompany } from '../../../testing/store/rows.ts';
import { openTempStore } from '../../../testing/store/temp-store.ts';
import type { Database } from '../../store/sql/port.ts';
import { assignCase } from '../../store/reviews/leases.ts';
import { findOpenCaseOf } from '../../store/reviews/cases.ts';
import { findCompany } from '../../store/companies/companies.ts';
import { verifyAudit } from '../../store/operators/audit.ts';
import { findDemoCompany } from '../companies/companies.ts';
import { changeCompany } from '../companies/details.ts';
import { createOperator } from '../operators/operators.ts';
import { changeOperator } from '../operators/change.ts';
import { LITTLE } from './demo.fixture.ts';
import { makeDemo } from './make.ts';
import { removeDemo } from './remove.ts';

const request = { actor: 'cli', reason: 'the season begins' } as const;

async function withDemo() {
  const { deps } = await openTestService();
  await seedCompany(deps.db, 'acme');
  const made = await makeDemo(deps.db, deps.clock, LITTLE);
  return { deps, companyId: made?.company_id ?? '' };
}

/** Every table that names a company, with its rows of this one. */
async function rowsOf(db: Database, companyId: string): Promise<Record<string, number>> {
  const tables = await db.all<{ name: string }>(
    db.engine === 'sqlite'
      ? "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'company_id' WHERE m.type = 'table'"
      : "SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'company_id' AND table_schema = 'public'",
  );
  const counted: Record<string, number> = {};
  for (const { name } of tables) {
    const row = await db.one<{ n: number }>(
      `SELECT COUNT(*) AS n FROM ${name} WHERE company_id = ?`,
      companyId,
    );
    if (row && row.n > 0) counted[name] = row.n;
  }
  return counted;
}
const operators = async (db: Database) =>
  (await db.all<{ name: string }>('SELECT name FROM operators ORDER BY name')).map(({ name }) => name);

it('the sample is removed with its operators and every row, and its audit log stays whole', async () => {
  const { deps, companyId } = await withDemo();
  const { db } = deps;
  await changeCompany(deps, { companyId, change: { privacy_contact: 'the office' }, actor: 'cli' });
  expect(Object.keys(await rowsOf(db, companyId)).length).toBeGreaterThan(15);
  expect(await operators(db)).toHaveLength(2);
  const removed = await removeDemo(deps, request);
  expect(removed.company_id).toBe(companyId);
  expect(removed.people).toBeGreaterThan(60);
  expect(removed.checks).toBeGreaterThan(240);
  expect(Object.keys(await rowsOf(db, companyId)).sort()).toEqual(['audit_entries', 'face_changes']);
  expect(await operators(db)).toEqual([]);
  expect(await findDemoCompany(db)).toBeNull();
  expect(await findCompany(db, companyId)).toBeUndefined();
  const entry = await db.one<{ details: string }>(
    "SELECT details FROM audit_entries WHERE action = 'company.remove' AND company_id IS NULL AND subject = ?",
    companyId,
  );
  expect(JSON.parse(entry?.details ?? '{}')).toMatchObject({
    from: removed.company_name,
    people: removed.people,
    reason: request.reason,
  });
  expect((await verifyAudit(db)).brokenAt).toBeNull();
  await expect(removeDemo(deps, request)).rejects.toThrow(/Not found/);
  expect(await makeDemo(db, deps.clock, LITTLE)).not.toBeNull();
});

it('the sample stays while it is the only company', async () => {
  const deps = { db: await openTempStore(), clock: testClock() };
  await makeDemo(deps.db, deps.clock, LITTLE);
  await expect(removeDemo(deps, request)).rejects.toMatchObject({ code: 'only_company' });
  expect(await operators(deps.db)).toHaveLength(2);
});

it('the sample stays while somebody has access to nothing else', async () => {
  const { deps, companyId } = await withDemo();
  const limited = { role: 'reviewer', origin: 'cli', actor: 'cli', companyIds: [companyId] } as const;
  const { operator } = await createOperator(deps, { ...limited, name: 'Ana Ruiz' });
  await createOperator(deps, { ...limited, name: 'Ben Weiss', companyIds: [companyId, 'acme'] });
  await expect(removeDemo(deps, request)).rejects.toMatchObject({
    code: 'operators_without_company',
    facts: { args: { names: 'Ana Ruiz' } },
  });
  const why = { reason: 'left the team', actor: 'cli' } as const;
  await changeOperator(deps, operator.operator_id, { disabled: true }, why);
  await removeDemo(deps, request);
  expect(await operators(deps.db)).toEqual(['Ana Ruiz', 'Ben Weiss']);
});

it('an operator of the sample who was put to use stays', async () => {
  const { deps } = await withDemo();
  await deps.db.tx((tx) =>
    tx.run("UPDATE operators SET last_signed_in_at = ? WHERE name LIKE 'Ines%'", deps.clock.now()),
  );
  await removeDemo(deps, request);
  expect(await operators(deps.db)).toEqual(['Ines Duarte (demo)']);
});

it('an operator of the sample stays whom somebody gave a case of another company', async () => {
  const service = await openTestService();
  const { deps, scope } = service;
  const review = { config: { ...NO_SKIP.config, collision: { action: 'review' } } };
  await run(service, 'alice');
  const { session_id: sessionId } = await run(service, 'alice', review);
  const caseId = (await findOpenCaseOf(deps.db, scope('test'), sessionId))?.id ?? '';
  await makeDemo(deps.db, deps.clock, LITTLE);
  await deps.db.tx(async (tx) => {
    const [assignee] = await tx.all<{ id: string }>("SELECT id FROM operators WHERE name LIKE 'Ines%'");
    await assignCase(tx, scope('test'), caseId, assignee?.id ?? null);
  });
  await removeDemo(deps, request);
  expect(await operators(deps.db)).toEqual(['Ines Duarte (demo)']);
});

it('a sample that is still being written stays', async () => {
  const { deps } = await openTestService();
  await seedCompany(deps.db, 'acme');
  const underWay = Promise.withResolvers<undefined>();
  const onProgress = () => underWay.resolve(undefined);
  const making = makeDemo(deps.db, deps.clock, { ...LITTLE, onProgress });
  await underWay.promise;
  const outcome = await removeDemo(deps, request).catch((error: unknown) => error);
  expect(outcome).toMatchObject({ code: 'demo_under_way' });
  expect(await making).not.toBeNull();
});
