import { describe, expect, it } from 'vitest';
import { startRun, run } from '../../../testing/service/runs.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { insertTemplate } from '../../store/matching/templates.ts';
import { runRetention } from './retention-run.ts';
import {
  changeRetention,
  DEFAULT_RETENTION,
  readRetention,
  retentionFault,
  saveRetention,
} from './retention-settings.ts';

const DAY_MS = 86_400_000;

async function enrolledService() {
  const service = await openTestService();
  await run(service, 'alice', { email: 'alice@example.com' });
  const { db, clock } = service.deps;
  const person = await db.one<{ id: string }>('SELECT person_id AS id FROM test_faces');
  await db.tx((tx) =>
    insertTemplate(tx, service.scope('test'), {
      personId: person!.id,
      passId: 'p',
      model: 'test-model',
      vector: Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0),
      quality: 1,
      at: clock.now(),
    }),
  );
  const count = async (table: string) =>
    (await db.one<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`))?.n;
  return { service, db, clock, count };
}

describe('retention', () => {
  it('deletes the face of a person who has not come for three years, and keeps the person', async () => {
    const { service, db, clock, count } = await enrolledService();
    service.clock.advance(3 * 365 * DAY_MS - 1);
    expect(await runRetention(db, clock, service.clock.deletionTime(), 'system')).toMatchObject({
      templates: 0,
    });
    service.clock.advance(DAY_MS);
    expect(await runRetention(db, clock, service.clock.deletionTime(), 'system')).toMatchObject({
      templates: 1,
    });
    expect([await count('templates'), await count('people')]).toEqual([0, 1]);
  });

  it('can be shorter, never longer', async () => {
    const { service, db, clock } = await enrolledService();
    const shorter = { ...DEFAULT_RETENTION, templateInactiveDays: 10 };
    await changeRetention(db, clock, shorter, 'cli');
    expect(await readRetention(db)).toEqual(shorter);
    service.clock.advance(11 * DAY_MS);
    expect(await runRetention(db, clock, service.clock.deletionTime(), 'system')).toMatchObject({
      templates: 1,
    });
    const longer = { ...DEFAULT_RETENTION, templateInactiveDays: 3 * 365 + 1 };
    expect(retentionFault(longer)).toBe('templateInactiveDays');
    await expect(changeRetention(db, clock, longer, 'cli')).rejects.toThrow(RangeError);
  });

  it('removes personal data from a run that nobody finished', async () => {
    const { service, db, clock } = await enrolledService();
    const abandoned = await startRun(service, { email: 'bob@example.com', metadata: { name: 'Bob' } });
    service.clock.advance(89 * DAY_MS);
    expect(await runRetention(db, clock, service.clock.deletionTime(), 'system')).toMatchObject({
      abandoned_runs: 0,
    });
    service.clock.advance(2 * DAY_MS);
    expect(await runRetention(db, clock, service.clock.deletionTime(), 'system')).toMatchObject({
      abandoned_runs: 1,
    });
    const row = await db.one(
      'SELECT identity_identifier AS identifier, metadata, state FROM sessions WHERE id = ?',
      abandoned.id,
    );
    expect(row).toEqual({ identifier: null, metadata: null, state: 'open' });
    expect(await runRetention(db, clock, service.clock.deletionTime(), 'system')).toMatchObject({
      abandoned_runs: 0,
    });
  });

  it('writes counts to the audit log, and nothing on a night without work', async () => {
    const { service, db, clock } = await enrolledService();
    const entries = () =>
      db.all<{ details: string }>(`SELECT details FROM audit_entries WHERE action = 'retention.run'`);
    await runRetention(db, clock, service.clock.deletionTime(), 'system');
    expect(await entries()).toEqual([]);
    service.clock.advance(4 * 365 * DAY_MS);
    await runRetention(db, clock, service.clock.deletionTime(), 'system');
    expect(JSON.parse((await entries())[0]!.details)).toMatchObject({ templates: 1, case_frames: 0 });
  });
});

it('keeps retention within its bounds', async () => {
  const { deps } = await openTestService();
  const days = { case_frames: 14, template_inactive: 365, abandoned_run: 60 };
  await saveRetention(deps, days, 'operator:1');
  expect((await readRetention(deps.db)).caseFramesDays).toBe(14);
  const forever = { ...days, template_inactive: 3 * 365 + 1 };
  await expect(saveRetention(deps, forever, 'operator:1')).rejects.toMatchObject({
    code: 'period_out_of_range',
  });
});
