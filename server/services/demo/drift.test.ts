/**
 * The demo opens and times its sessions itself. These tests compare its rows with those that the services write for
 * the same runs.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { settleFace } from '../../../testing/service/captures.ts';
import { sessionOf } from '../../../testing/service/runs.ts';
import { openTestService, testClock, type TestService } from '../../../testing/service/temp-service.ts';
import { storePaths } from '../../../testing/store/temp-store.ts';
import type { InitializeRequest } from '../../contract/v3.ts';
import { findOpenCaseOf } from '../../store/reviews/cases.ts';
import type { Session } from '../../store/runs/sessions.ts';
import type { Database, SqlReader } from '../../store/sql/port.ts';
import { openSqlite } from '../../store/sql/sqlite/driver.ts';
import { recordReads } from '../../store/passes/passes.ts';
import { captureTestFace } from '../capture/test-capture.ts';
import type { Caller } from '../keys/keys.ts';
import { decideReview } from '../reviews/reviews.ts';
import { decline, giveConsent, openSession } from '../runs/flow.ts';
import { initialize } from '../runs/initialize.ts';
import { LITTLE } from './demo.fixture.ts';
import { makeDemo } from './make.ts';

const GROUP = 'harbour-fri';
const FACE = Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0);
/** Its cosine to `FACE` is between "near" and "the same". */
const LIKE_FACE = Float32Array.of(0.5, Math.sqrt(0.75), 0, 0, 0, 0, 0, 0);

/** Rows that refer to a session, by table. `?` is the session's ID. */
const ROWS = {
  sessions: 'SELECT * FROM sessions WHERE id = ?',
  passes: 'SELECT * FROM passes WHERE session_id = ?',
  run_events: 'SELECT * FROM run_events WHERE session_id = ?',
  people: 'SELECT * FROM people WHERE id IN (SELECT person_id FROM passes WHERE session_id = ?)',
  templates: 'SELECT t.* FROM templates t JOIN passes p ON p.id = t.pass_id WHERE p.session_id = ?',
  review_cases: 'SELECT * FROM review_cases WHERE session_id = ?',
  case_frames: `SELECT f.* FROM case_frames f JOIN review_cases c ON c.id = f.case_id WHERE c.session_id = ?`,
  audit_entries: `WITH one (id) AS (SELECT ?) SELECT a.* FROM audit_entries a, one WHERE action IN ('run.settle', 'review.open', 'review.decide') AND (
    json_extract(details, '$.pass_id') = (SELECT s.pass_id FROM sessions s WHERE s.id = one.id)
    OR json_extract(details, '$.case_id') = (SELECT c.id FROM review_cases c WHERE c.session_id = one.id))`,
};
/**
 * Columns whose values must be equal, because the rules choose them. For all others only the kind of value is
 * compared.
 */
const NAMES = [
  'state',
  'status',
  'reasons',
  'outcome',
  'counts_as',
  'generation',
  'kind',
  'action',
  'partition',
  'declined',
];

type Kind = { real: (service: TestService) => Promise<string>; demo: string };

const OF_PASS = `SELECT s.id FROM sessions s JOIN passes p ON p.session_id = s.id
  WHERE s.generation = 'v3' AND s.attempts_left = 3 AND p.locked_at IS NULL AND p.revoked_at IS NULL`;

const KINDS: Record<string, Kind> = {
  'an approval of somebody new': {
    real: async (service) => {
      const id = await captured(service, await started(service, { phone: '+4915112345678' }), FACE);
      const { passId } = await sessionOf(service, id);
      const at = service.clock.now();
      await service.deps.db.tx((tx) => recordReads(tx, service.scope('live'), passId ?? '', 1, at));
      return id;
    },
    demo: `${OF_PASS} AND s.partition = 'live' AND p.status = 'approved' AND p.reasons = '[]' AND p.identity_provider IS NOT NULL`,
  },
  'a run that the person declined': {
    async real(service) {
      const session = await open(service, await service.caller('sk_live'), { group: GROUP });
      await decline(service.deps, session);
      return session.id;
    },
    demo: `${OF_PASS} AND p.declined = 1`,
  },
  'a run that waits for a reviewer': {
    real: inReview,
    demo: `SELECT s.id FROM sessions s JOIN review_cases c ON c.session_id = s.id 
      WHERE c.decision IS NULL AND c.reasons = '["collision"]'`,
  },
  'a run that a reviewer denied': {
    real: (service) => reviewed(service, 'same_person'),
    demo: `SELECT s.id FROM sessions s JOIN review_cases c ON c.session_id = s.id
      WHERE c.decision = 'same_person' AND c.reasons = '["collision"]'`,
  },
  'a run that a reviewer approved as somebody else': {
    real: (service) => reviewed(service, 'different_people'),
    demo: `SELECT s.id FROM sessions s JOIN review_cases c ON c.session_id = s.id
      WHERE c.decision = 'different_people' AND c.reasons = '["collision"]'`,
  },
  'a run of a test face': {
    real: (service) => testRun(service, 'alice', 1),
    demo: `${OF_PASS} AND s.partition = 'test' AND p.status = 'approved'`,
  },
  'a run of a test face that failed three times': {
    real: (service) => testRun(service, 'blurred', 3),
    demo: `${OF_PASS.replace('attempts_left = 3', 'attempts_left = 1')} AND s.partition = 'test'`,
  },
};

async function started(service: TestService, body: InitializeRequest): Promise<Session> {
  const metadata = { name: 'Ana', section: 'A', ticket: '1' };
  const request = { external_id: `user-${service.clock.now()}`, group: GROUP, metadata, ...body };
  return open(service, await service.caller('sk_live'), request);
}

async function testRun(service: TestService, face: string, times: number): Promise<string> {
  const body = { external_id: 'test-alice', group: 'trial', metadata: { name: 'alice' } };
  const { id } = await open(service, await service.caller('sk_test'), body);
  for (let n = 0; n < times; n++) await captureTestFace(service.deps, await sessionOf(service, id), face);
  return id;
}

async function open(service: TestService, caller: Caller, body: InitializeRequest): Promise<Session> {
  const { deps } = service;
  const { session_id: id } = await initialize(deps, caller, body);
  await openSession(deps, id ?? '', { device: 'mobile' }, null);
  await giveConsent(deps, await sessionOf(service, id ?? ''), { accepted: true });
  return sessionOf(service, id ?? '');
}

async function captured(service: TestService, session: Session, face: Float32Array): Promise<string> {
  await settleFace(service.deps, session, face);
  // The next run has another external_id.
  service.clock.advance(6_000);
  return session.id;
}

async function inReview(service: TestService): Promise<string> {
  const scope = service.scope('live');
  await service.deps.db.write(`UPDATE verifications SET config = '{"collision": {"action": "review"}}'`);
  await captured(service, await started(service, {}), FACE);
  const id = await captured(service, await started(service, {}), LIKE_FACE);
  expect(await findOpenCaseOf(service.deps.db, scope, id)).toBeDefined();
  return id;
}

async function reviewed(service: TestService, decision: 'same_person' | 'different_people'): Promise<string> {
  const id = await inReview(service);
  const scope = service.scope('live');
  const caseId = (await findOpenCaseOf(service.deps.db, scope, id))?.id ?? '';
  await decideReview(
    service.deps.db,
    service.clock,
    { companyId: scope.companyId, caseId },
    { decision, reason: 'Seen.', actor: 'operator:1' },
  );
  return id;
}

/** The kind of a value. */
function kindOf(column: string, value: unknown): string {
  if (value === null || NAMES.includes(column)) return String(value);
  if (typeof value !== 'string') return value instanceof Uint8Array ? 'bytes' : typeof value;
  // Fields that integrators send along are free.
  if (column === 'metadata' || !value.startsWith('{')) return value.startsWith('[') ? 'list' : 'text';
  return `{${Object.keys(JSON.parse(value) as object)
    .toSorted()
    .join(', ')}}`;
}

/** The distinct shapes of the session's rows, by table and column. */
async function shapes(db: SqlReader, sessionId: string): Promise<Record<string, Record<string, string>[]>> {
  const byTable = Object.entries(ROWS).map(async ([table, sql]) => {
    const rows = await db.all<Record<string, unknown>>(sql, sessionId);
    const shaped = rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([column, value]) => [column, kindOf(column, value)])),
    );
    const distinct = [...new Map(shaped.map((shape) => [JSON.stringify(shape), shape])).entries()].toSorted();
    return [table, distinct.map(([, shape]) => shape)] as const;
  });
  return Object.fromEntries(await Promise.all(byTable));
}

describe('the demo has the same rows, column by column, as the real services write for', () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'gatehouse-test-'));
  let demo: Database;
  beforeAll(async () => {
    demo = await openSqlite(storePaths(dir));
    await makeDemo(demo, testClock(), LITTLE);
  });
  afterAll(async () => {
    await demo.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it.each(Object.entries(KINDS))('%s', async (_, { real, demo: sql }) => {
    const service = await openTestService();
    onTestFinished(() => service.deps.faceIndex.close());
    const wanted = await shapes(service.deps.db, await real(service));
    const found = await demo.all<{ id: string }>(sql);
    expect(found.length).toBeGreaterThan(0);
    for (const { id } of found) expect(await shapes(demo, id)).toEqual(wanted);
  });
});
