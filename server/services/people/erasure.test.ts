/**
 * What remains of an erased person: in the tables of both engines, with secrets decrypted, and on SQLite also in the
 * pages of the file, in its log and in a new backup.
 */
import { statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ErasureProof } from '../../contract/console/people.ts';
import { readOrCreateKeyFile } from '../../store/sql/key-file.ts';
import type { SqlReader, SqlValue } from '../../store/sql/port.ts';
import { SEALED, type SealedColumn } from '../../store/sql/sealed-columns.ts';
import { unlock } from '../../store/sql/sqlite/connection.ts';
import { insertFaceRows } from '../../store/matching/face-rows.ts';
import { insertTemplate } from '../../store/matching/templates.ts';
import { insertCase } from '../../store/reviews/cases.ts';
import { endSession } from '../../store/runs/sessions.ts';
import { insertEvent } from '../../store/venue/events.ts';
import { venueEvent } from '../../../testing/store/rows.ts';
import {
  onSqlite,
  openTempStore,
  plainPages,
  storePaths,
  tableNames,
  tempDir,
  tracesOf,
} from '../../../testing/store/temp-store.ts';
import { NO_SKIP, passOf, run, startRun } from '../../../testing/service/runs.ts';
import { openTestService, type TestService } from '../../../testing/service/temp-service.ts';
import { readContainer } from '../backup/container/read.ts';
import { createBackup } from '../backup/create.ts';
import { eraseOnePerson, readErasureProof } from './erasure.ts';
import { initialize } from '../runs/initialize.ts';
import { eraseMe, openOwnPage, requestOwnCode } from '../runs/my-verifications.ts';
import { runRetention } from './retention-run.ts';
import { clearTestData } from './test-data.ts';

const CANARY = 'canary';
const PHONE = '+999011234567';
const ADDRESS = '198.51.100.1';

/** Everything that a run can contain, marked. */
const marked = (n: number, mark = CANARY) => ({
  external_id: `${mark}-account-${n}`,
  group: `${mark}-group-${n}`,
  include_groups: [`${mark}-included-${n}`],
  origin: `https://${mark}-origin-${n}.example`,
  start_path: `/${mark}-start-${n}`,
  return_path: `/${mark}-return-${n}`,
  redirect_url: `https://${mark}-back-${n}.example/${mark}?seat=${mark}`,
  pass_params: { ticket: `${mark}-ticket-${n}` },
  metadata: { name: `${mark} name ${n}`, seat: `${mark}-seat-${n}` },
});

type Place = { service: TestService; dir: string };

async function place(): Promise<Place> {
  const dir = tempDir();
  const service = await openTestService(dir);
  await service.verification('everywhere', { isDefault: false });
  return { service, dir };
}

/** The database file of a test on SQLite. */
function fileOf({ dir }: Place): { path: string; key: Buffer } {
  const { path: databasePath, keyPath } = storePaths(dir);
  return { path: databasePath, key: readOrCreateKeyFile(keyPath, databasePath) };
}

async function enrol({ service }: Place, face: string, body: Parameters<typeof run>[2]): Promise<string> {
  return (await passOf(service, await run(service, face, body))).personId ?? '';
}

const erase = ({ service }: Place, personId: string) =>
  eraseOnePerson(service.deps, service.scope('test'), personId, 'cli');

const logBytes = (at: Place): number => statSync(`${fileOf(at).path}-wal`).size;

/** Traces in the tables of the running database and, on SQLite, in its file and its log, and in a new backup. */
async function tracesIn(at: Place, text: string): Promise<Record<string, string[]>> {
  const tables = await tracesInTables(at.service.deps.db, text);
  return onSqlite ? { tables, ...(await tracesInFiles(at, text)) } : { tables };
}

async function tracesInTables(db: SqlReader, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await tableNames(db)) {
    for (const row of await db.all<Record<string, SqlValue>>(`SELECT * FROM "${name}"`)) {
      for (const column of Object.keys(row)) {
        const value = opened(db, name, row, column);
        const said = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
        if (said.includes(text)) found.push(`${name}.${column}: ${said}`);
      }
    }
  }
  return found;
}

/** The value of a column, decrypted if it is a secret. */
function opened(db: SqlReader, table: string, row: Record<string, SqlValue>, column: string): SqlValue {
  const value = row[column] ?? null;
  const name = `${table}.${column}` as SealedColumn;
  if (!(name in SEALED) || typeof value === 'number' || typeof value === 'bigint') return value;
  return db.secrets.open(
    name,
    SEALED[name].map((each) => row[each] as string | number),
    value,
  );
}

async function tracesInFiles(at: Place, text: string): Promise<Record<string, string[]>> {
  const file = fileOf(at);
  const log = logBytes(at);
  const target = path.join(tempDir(), 'one.gatehouse-backup');
  await createBackup({ databasePath: file.path, databaseKey: file.key, target, nowMs: 0 });
  const restored = `${target}.db`;
  const { manifest } = await readContainer(target, { kind: 'database', key: file.key }, restored);
  return {
    log: log === 0 ? [] : [`${log} bytes`],
    file: tracesOf(plainPages(file), text),
    backup: tracesOf(plainPages({ path: restored, key: Buffer.from(manifest.snapshotKey, 'hex') }), text),
  };
}

const NOTHING = onSqlite ? { tables: [], log: [], file: [], backup: [] } : { tables: [] };

it('a proof names the key that erased, not its ID', async () => {
  const service = await openTestService();
  const { db } = service.deps;
  const key = await db.one<{ id: string; display: string }>(
    'SELECT id, display FROM keys ORDER BY id LIMIT 1',
  );
  const { personId } = await passOf(service, await run(service, 'alice'));
  const scope = service.scope('test');
  const proofId = await eraseOnePerson(service.deps, scope, personId ?? '', `key:${key!.id}`);
  expect(await readErasureProof(db, scope, proofId ?? '')).toMatchObject({ actor_name: key!.display });
});

describe('erasing a person', () => {
  it('leaves nothing of their runs’ data in tables, file, log and a new backup, and counts each kind', async () => {
    const at = await place();
    const { service } = at;
    const { db } = service.deps;
    const id = await enrol(at, `${CANARY}-face`, { ...marked(0), phone: PHONE });
    const account = { ...NO_SKIP, phone: PHONE, external_id: marked(0).external_id };
    // One that skipped the check, one in progress, an unopened invite, and a run in review.
    await run(service, `${CANARY}-face`, { ...marked(0), redirect_url: `https://${CANARY}-again.example/` });
    const open = await startRun(service, { ...account, redirect_url: `https://${CANARY}-open.example/` });
    await initialize(service.deps, await service.caller('sk_test'), {
      email: `${CANARY}@example.com`,
      external_id: account.external_id,
      expire_in_days: 3,
      metadata: { name: `${CANARY} invited` },
    });
    const waiting = await startRun(service, { ...account, group: `${CANARY}-group-0` });
    await db.tx(async (tx) => {
      await endSession(tx, waiting.scope, waiting.id, { state: 'in_review', passId: 'to-be', at: 0 });
      await insertCase(tx, waiting.scope, {
        id: 'case',
        sessionId: waiting.id,
        passId: 'to-be',
        reasons: ['collision'],
        groups: [`${CANARY}-group-7`],
        suspectIds: [id],
        enrolment: { kind: 'test_face', name: `${CANARY}-waiting` },
        score: null,
        openedAt: 0,
      });
    });
    await requestOwnCode(service.deps, { phone: PHONE }, ADDRESS);
    await db.tx(async (tx) => {
      await tx.run(
        `INSERT INTO webhook_calls (transaction_id, company_id, partition, key_lineage_id, webhook_type, destination_url,
           origin, body, status, created_at) VALUES ('t', ?, 'test', 'l', 'w', ?, 'o', ?, 'COMPLETED', 0)`,
        service.company.company_id,
        tx.secrets.seal('webhook_calls.destination_url', ['l'], 'u'),
        tx.secrets.seal('webhook_calls.body', ['t'], Buffer.of(0)),
      );
      await tx.run(
        `INSERT INTO webhook_events (company_id, partition, key_lineage_id, transaction_id, attempt, destination_url,
           response_body, duration_ms, created_at) VALUES (?, 'test', 'l', 't', 1, ?, ?, 1, 0)`,
        service.company.company_id,
        tx.secrets.seal('webhook_events.destination_url', ['l'], 'u'),
        tx.secrets.seal('webhook_events.response_body', ['t', 1], `${CANARY} thanked`),
      );
      await tx.run(
        `INSERT INTO run_events (company_id, partition, session_id, at, kind, details)
         SELECT company_id, 'test', session_id, 0, 'webhook', '{"transaction_id":"t"}' FROM passes WHERE person_id = ? LIMIT 1`,
        id,
      );
    });

    // The metadata is sealed, so the search decrypts secrets as well.
    expect((await tracesIn(at, `${CANARY}-seat-0`))['tables']).not.toEqual([]);
    const proofId = await erase(at, id);
    expect(await tracesIn(at, CANARY)).toEqual(NOTHING);
    expect(await tracesIn(at, PHONE)).toEqual(NOTHING);
    const proof: ErasureProof = await readErasureProof(db, service.scope('test'), proofId ?? '');
    expect(proof.remaining).toBe(0);
    expect(proof.removed).toMatchObject({
      people: 1,
      passes: 1,
      sessions: 4,
      ended_runs: 2,
      return_addresses: 3,
      pass_params: 2,
      groups: 3,
      usage_groups: 1,
      invites: 1,
      own_page: 1,
      webhook_responses: 1,
    });
    const states = await db.all<{ state: string }>(
      'SELECT state FROM sessions WHERE id IN (?, ?)',
      open.id,
      waiting.id,
    );
    expect(states).toEqual([{ state: 'cancelled' }, { state: 'cancelled' }]);
    // The counters of the cap and the bill stay.
    const used = await db.one<{ n: number }>('SELECT SUM(settled) AS n FROM usage_outcomes');
    expect(used).toEqual(await db.one<{ n: number }>('SELECT SUM(settled) AS n FROM usage_days'));
  });

  it('leaves nothing of their row of the face index, which no backup contains even before', async () => {
    const at = await place();
    const scope = at.service.scope('test');
    const personId = await enrol(at, 'ana', {});
    const template = { personId, passId: 'p', model: 'm', vector: new Float32Array(4), quality: 1, at: 0 };
    await at.service.deps.db.tx(async (tx) => {
      await insertTemplate(tx, scope, template);
      await insertFaceRows(tx, scope, 'm', [{ personId, packed: Buffer.from(`${CANARY}-row`) }]);
    });
    const before = await tracesIn(at, `${CANARY}-row`);
    expect(before['tables']).toHaveLength(1);
    if (onSqlite) expect(before['backup']).toEqual([]);
    await erase(at, personId);
    expect(await tracesIn(at, CANARY)).toEqual(NOTHING);
  });

  it.skipIf(!onSqlite)('leaves nothing in pages that were split and refilled', async () => {
    const at = await place();
    const ids: string[] = [];
    for (let n = 0; n < 120; n++) {
      const isErased = n % 5 === 0;
      const mark = isErased ? CANARY : 'others';
      const id = await enrol(at, `${mark}-face-${n}`, {
        ...marked(n, mark),
        email: `${mark}${n}@example.com`,
      });
      if (isErased) ids.push(id);
    }
    for (const id of ids) await erase(at, id);
    expect(await tracesIn(at, CANARY)).toEqual(NOTHING);
    expect(tracesOf(plainPages(fileOf(at)), 'others-seat-1')).not.toEqual([]);
  });

  it('keeps a group that others are in, and the group of a venue’s event, in the counters', async () => {
    const at = await place();
    const { service } = at;
    const { db } = service.deps;
    const scope = service.scope('test');
    await db.tx((tx) =>
      insertEvent(
        tx,
        venueEvent(scope, service.company.default_verification_id, 'event', { group: 'night' }),
      ),
    );
    const ana = await enrol(at, 'ana', { group: 'friday' });
    await enrol(at, 'ben', { group: 'friday' });
    const eve = await enrol(at, 'eve', { group: 'night' });
    for (const id of [ana, eve]) await erase(at, id);
    const counted = await db.all('SELECT group_id AS name, settled FROM usage_outcomes ORDER BY group_id');
    expect(counted).toEqual([
      { name: 'friday', settled: 2 },
      { name: 'night', settled: 1 },
    ]);
    const groups = await db.all<{ name: string | null }>('SELECT group_id AS name FROM sessions');
    expect(groups.map(({ name }) => name).sort()).toEqual(['friday', 'night', null]);
  });

  it('by the person works the same way', async () => {
    const at = await place();
    const { deps } = at.service;
    const id = await enrol(at, `${CANARY}-face`, { ...marked(0), phone: PHONE });
    await requestOwnCode(deps, { phone: PHONE }, ADDRESS);
    const { my_token: token } = await openOwnPage(deps, { phone: PHONE, code: PHONE.slice(-6) });
    expect(await eraseMe(deps, token, { connection_id: id })).toEqual([]);
    expect(await tracesIn(at, CANARY)).toEqual(NOTHING);
    expect(await tracesIn(at, PHONE)).toEqual(NOTHING);
  });

  it.skipIf(!onSqlite)(
    'empties the log later if another process reads an older state meanwhile',
    async () => {
      const at = await place();
      const id = await enrol(at, 'ana', { ...marked(0) });
      const file = fileOf(at);
      const other = new Sqlite(file.path);
      onTestFinished(() => void other.close());
      unlock(other, file.key);
      other.exec('BEGIN');
      other.prepare('SELECT COUNT(*) FROM people').get();
      await erase(at, id);
      expect(logBytes(at)).toBeGreaterThan(0);
      other.exec('COMMIT');
      await expect.poll(() => logBytes(at), { timeout: 30_000 }).toBe(0);
    },
  );

  it.skipIf(!onSqlite)('many erasures at once share the emptying of the log', async () => {
    const at = await place();
    const ids: string[] = [];
    for (let n = 0; n < 20; n++) ids.push(await enrol(at, `face-${n}`, { ...NO_SKIP, ...marked(n) }));
    await Promise.all(ids.map((id) => erase(at, id)));
    expect(await tracesIn(at, CANARY)).toEqual(NOTHING);
  });
});

describe('the log is emptied', () => {
  it('after test data was cleared, including groups and calls', async () => {
    const at = await place();
    const { service } = at;
    await enrol(at, `${CANARY}-face`, { ...marked(0), phone: PHONE });
    const request = { companyId: service.company.company_id, before: null, actor: 'cli' } as const;
    await clearTestData(service.deps.db, service.clock, request);
    expect(await tracesIn(at, CANARY)).toEqual(NOTHING);
  });

  it('after retention has removed something', async () => {
    const at = await place();
    const { origin, redirect_url, metadata, pass_params } = marked(0);
    await startRun(at.service, { origin, redirect_url, metadata, pass_params, phone: PHONE });
    const { deps, clock } = at.service;
    clock.advance(100 * 86_400_000);
    expect(await runRetention(deps.db, clock, clock.deletionTime(), 'cli')).toMatchObject({
      abandoned_runs: 1,
    });
    expect(await tracesIn(at, CANARY)).toEqual(NOTHING);
  });

  it.skipIf(!onSqlite)('at the start, of the remains of a killed process', async () => {
    const at = await place();
    await enrol(at, 'ana', {});
    await setImmediate();
    expect(logBytes(at)).toBeGreaterThan(0);
    const again = await openTempStore(at.dir);
    expect(logBytes(at)).toBe(0);
    expect(await again.all('SELECT id FROM people')).toHaveLength(1);
  });
});
