import { describe, expect, it } from 'vitest';
import { startRun, run, sessionOf } from '../../../testing/service/runs.ts';
import { openTestService, refusalOf } from '../../../testing/service/temp-service.ts';
import { insertTemplate } from '../../store/matching/templates.ts';
import { captureTestFace } from '../capture/test-capture.ts';
import { initialize } from '../runs/initialize.ts';
import type { InitializeRequest } from '../../contract/v3.ts';
import { giveConsent, readSnapshot } from '../runs/flow.ts';
import { readSessionDetail } from '../passes/detail.ts';
import { dueAt, dueFacesAt } from './retention-due.ts';
import { runRetention } from './retention-run.ts';
import { DEFAULT_RETENTION, readRetention, retentionFault, saveRetention } from './retention-settings.ts';

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
    // Of an earlier consent, and not test data: its own period is shorter.
    await db.tx((tx) => tx.run('UPDATE people SET retention_days = NULL'));
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
    await saveRetention({ db, clock }, { template_inactive: 10 }, 'cli');
    expect(await readRetention(db)).toEqual(shorter);
    service.clock.advance(11 * DAY_MS);
    expect(await runRetention(db, clock, service.clock.deletionTime(), 'system')).toMatchObject({
      templates: 1,
    });
    const longer = { ...DEFAULT_RETENTION, templateInactiveDays: 3 * 365 + 1 };
    expect(retentionFault(longer)).toBe('templateInactiveDays');
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

describe('the period that the consent names', () => {
  const openVenue = async () => {
    const enrolled = await enrolledService();
    const { service, db, clock } = enrolled;
    const keepFor = (days: number) => saveRetention({ db, clock }, { template_inactive: days }, 'cli');
    const visit = async () => {
      const { result } = await run(service, 'alice');
      expect(result?.verified).toBe(true);
    };
    const opened = async (key: 'sk_live' | 'sk_test' = 'sk_test', request: InitializeRequest = {}) => {
      const { session_id } = await initialize(service.deps, await service.caller(key), request);
      const id = session_id ?? '';
      const consent = async (shown: { retention_days?: number } = {}) =>
        giveConsent(service.deps, await sessionOf(service, id), { accepted: true, ...shown });
      return { id, consent, snapshot: () => readSnapshot(service.deps, id) };
    };
    const nightly = async () => {
      const due = await dueFacesAt(db, clock.now());
      expect((await dueAt(db, clock.now())).faces).toBe(due.due);
      const { templates } = await runRetention(db, clock, service.clock.deletionTime(), 'system');
      expect(templates).toBe(due.due);
      return templates;
    };
    return { ...enrolled, keepFor, visit, opened, nightly };
  };

  it('is the one that applies: the setting, and in the test partition never more than test data is kept', async () => {
    const { keepFor, opened } = await openVenue();
    const daysOf = async (key: 'sk_live' | 'sk_test') =>
      (await (await opened(key)).snapshot()).retention_days;
    expect([await daysOf('sk_live'), await daysOf('sk_test')]).toEqual([3 * 365, 30]);
    await keepFor(365);
    expect([await daysOf('sk_live'), await daysOf('sk_test')]).toEqual([365, 30]);
    await keepFor(14);
    expect([await daysOf('sk_live'), await daysOf('sk_test')]).toEqual([14, 14]);
  });

  it.each([{}, { group: 'members' }])(
    'stays as agreed after the setting has changed, for %o',
    async (request) => {
      const { service, keepFor, opened } = await openVenue();
      await keepFor(20);
      const session = await opened('sk_test', request);
      await session.consent({ retention_days: 20 });
      await keepFor(10);
      expect(await session.snapshot()).toMatchObject({ retention_days: 20 });
      const scope = service.scope('test');
      const { consent, timeline } = await readSessionDetail(service.deps, scope, session.id, 'admin');
      expect(consent).toMatchObject({ retention_days: 20 });
      expect(timeline.find(({ kind }) => kind === 'consent')?.details).toMatchObject({ retention_days: 20 });
    },
  );

  it('is recorded for a page that does not repeat it', async () => {
    const { service, keepFor, opened } = await openVenue();
    await keepFor(7);
    const session = await opened();
    await session.consent();
    expect((await sessionOf(service, session.id)).retentionDays).toBe(7);
  });

  it('is refused if it has changed since the page showed it, shorter or longer than what applies', async () => {
    const { service, keepFor, opened } = await openVenue();
    await keepFor(20);
    const session = await opened();
    for (const retention_days of [19, 21])
      expect(await refusalOf(session.consent({ retention_days }))).toBe('consent_replaced');
    expect((await sessionOf(service, session.id)).consentAt).toBeNull();
    expect((await session.consent({ retention_days: 20 })).step).toBe('capture');
  });

  it('protects a person from a longer setting until they agree to it', async () => {
    const { service, keepFor, visit, nightly, count } = await openVenue();
    await keepFor(10);
    await visit();
    await keepFor(25);
    service.clock.advance(10 * DAY_MS);
    expect(await nightly()).toBe(0);
    service.clock.advance(1);
    expect(await nightly()).toBe(1);
    expect(await count('people')).toBe(1);
  });

  it('is that of the last visit: a person who agreed to a longer one is kept for it', async () => {
    const { service, keepFor, visit, nightly } = await openVenue();
    await keepFor(10);
    await visit();
    await keepFor(25);
    await visit();
    service.clock.advance(25 * DAY_MS);
    expect(await nightly()).toBe(0);
    service.clock.advance(1);
    expect(await nightly()).toBe(1);
  });

  it('stays the shorter one if a check that was begun under a longer one ends after a later visit', async () => {
    const { service, keepFor, visit, nightly } = await openVenue();
    await keepFor(25);
    await visit();
    const begun = await startRun(service);
    service.clock.advance(1);
    await keepFor(10);
    await visit();
    await keepFor(25);
    await captureTestFace(service.deps, begun, 'alice');
    service.clock.advance(10 * DAY_MS + 1);
    expect(await nightly()).toBe(1);
  });

  it('gives way to a shorter setting at once', async () => {
    const { service, keepFor, visit, nightly } = await openVenue();
    await keepFor(25);
    await visit();
    await keepFor(5);
    service.clock.advance(5 * DAY_MS + 1);
    expect(await nightly()).toBe(1);
  });
});
