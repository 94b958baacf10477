import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '../../domain/scope.ts';
import { isTestNumber } from '../../domain/identity.ts';
import { verifyAudit } from '../../store/operators/audit.ts';
import { listCompanies } from '../../store/companies/companies.ts';
import type { Database } from '../../store/sql/port.ts';
import { openSqlite } from '../../store/sql/sqlite/driver.ts';
import { listDueDestinations } from '../../store/webhooks/outbox.ts';
import { storePaths } from '../../../testing/store/temp-store.ts';
import { testClock } from '../../../testing/service/temp-service.ts';
import { callerBehind } from '../keys/keys.ts';
import { findDemoCompany } from '../companies/companies.ts';
import { LITTLE } from './demo.fixture.ts';
import { makeDemo } from './make.ts';
import { visits } from './moments.ts';
import { planVisits } from './plan.ts';
import { createDice } from './random.ts';
import { SIZES } from './size.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'gatehouse-demo-'));
const nowMs = testClock().now();
/** One demo for all tests, which only read it. */
let db: Database;
let live: Scope;
let sk: string;
beforeAll(async () => {
  db = await openSqlite(storePaths(dir));
  const made = await makeDemo(db, testClock(), { ...LITTLE, size: SIZES.small });
  live = { companyId: made?.company_id ?? '', partition: 'live' };
  sk = made?.keys.sk_live ?? '';
});
afterAll(async () => {
  await db.close();
  rmSync(dir, { recursive: true });
});

const count = async (db: Database, sql: string, ...params: string[]): Promise<number> =>
  (await db.one<{ n: number }>(`SELECT COUNT(*) AS n FROM ${sql}`, ...params))?.n ?? 0;

describe('the demo', () => {
  it('has something for every page, in a company of its own, and is made once', async () => {
    expect(await findDemoCompany(db)).toBe(live.companyId);
    expect(await makeDemo(db, testClock(), { ...LITTLE, size: SIZES.small })).toBeNull();
    expect(await listCompanies(db)).toHaveLength(1);
    expect((await callerBehind(db, sk, nowMs))?.scope).toEqual(live);
    const mine = `WHERE company_id = ? AND partition = 'live'`;
    const others = await count(db, `review_cases ${mine} AND decision = 'different_people'`, live.companyId);
    expect(await count(db, `people ${mine}`, live.companyId)).toBe(SIZES.small.people + others);
    expect(await count(db, `passes ${mine}`, live.companyId)).toBeGreaterThan(SIZES.small.runs * 0.9);
    expect(await count(db, `review_cases ${mine} AND decision IS NULL`, live.companyId)).toBe(14);
    expect(await count(db, `webhook_calls ${mine}`, live.companyId)).toBe(180);
    for (const table of ['case_frames', 'review_notes', 'usage_days', 'usage_cap_changes', 'test_faces']) {
      expect(await count(db, table), table).toBeGreaterThan(0);
    }
    expect((await verifyAudit(db)).brokenAt).toBeNull();
  });

  it('counts on the usage page what it settled, and no more than the daily cap', async () => {
    const usage = await db.all<{ settled: number }>(
      'SELECT settled FROM usage_days WHERE company_id = ? AND partition = ?',
      live.companyId,
      live.partition,
    );
    const metered = await count(
      db,
      `passes p WHERE company_id = ? AND partition = 'live' AND declined = 0
         AND NOT EXISTS (SELECT 1 FROM review_cases c WHERE c.pass_id = p.id)`,
      live.companyId,
    );
    const reviewed = SIZES.small.openCases + SIZES.small.decidedCases;
    expect(usage.reduce((sum, { settled }) => sum + settled, 0)).toBe(metered + reviewed);
    expect(Math.max(...usage.map(({ settled }) => settled))).toBeLessThanOrEqual(SIZES.small.dailyLimit);
  });

  it('contacts nobody: no call is due, no address and no number belongs to anyone', async () => {
    const inAWeek = nowMs + 7 * 86_400_000;
    expect(await listDueDestinations(db, { nowMs: inAWeek, untilMs: inAWeek, countUpTo: 10 })).toEqual([]);
    const identities = await db.all<{ provider: string; identifier: string }>(
      'SELECT provider, identifier FROM person_identities',
    );
    for (const { provider, identifier } of identities) {
      if (provider === 'phone') expect(isTestNumber(identifier), identifier).toBe(true);
      else expect(identifier).toMatch(/@example\.(com|org|net)$/);
    }
    expect(await count(db, 'operators WHERE disabled_at IS NULL')).toBe(0);
  });

  it('has the same timeline on every machine', () => {
    const [one, other] = [1, 2].map(() => planVisits(SIZES.small, nowMs, createDice(5)));
    expect(one).toEqual(other);
    expect(visits(200, nowMs, createDice(5)).every((at) => at <= nowMs)).toBe(true);
  });
});
