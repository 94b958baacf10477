/** Decisions §1.5: clean-ups wait until an admin confirms the time and what they remove. */
import { onTestFinished, describe, expect, it } from 'vitest';
import type { Actor } from '../../domain/operators/actor.ts';
import { insertPerson } from '../../store/people/people.ts';
import { findOpenHold, type OpenHold } from '../../store/people/retention-holds.ts';
import { insertTemplate } from '../../store/matching/templates.ts';
import { NOW } from '../../../testing/store/rows.ts';
import { openTestService, testClock } from '../../../testing/service/temp-service.ts';
import { createServiceClock } from '../ports/clock.ts';
import { blockPerson, readBlocks } from './blocks.ts';
import { confirmCleanUp, createCleanUp } from './clean-up.ts';
import { DEFAULT_RETENTION, saveRetention } from './retention-settings.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FOUR_YEARS_MS = 4 * 365 * DAY_MS;
const ADMIN = 'operator:ada';

async function venue(faces: number, { seenAt = NOW } = {}) {
  const service = await openTestService();
  const { db } = service.deps;
  const scope = service.scope('live');
  const enrol = (count: number, at: number) =>
    db.tx(async (tx) => {
      for (let n = 0; n < count; n += 1) {
        const personId = `person-${at}-${n}`;
        await insertPerson(tx, scope, personId, at);
        await insertTemplate(tx, scope, {
          personId,
          passId: 'pass',
          model: 'test-model',
          vector: Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0),
          quality: 1,
          at,
        });
      }
    });
  await enrol(faces, seenAt);
  const wall = testClock(NOW);
  const backups: string[] = [];
  const holds: OpenHold[] = [];
  const during: { backUp: () => Promise<void> | void } = { backUp: () => undefined };
  /** A process on the database, as after a start. */
  const start = async () => {
    const clock = await createServiceClock(db, { wall, onError: () => undefined });
    onTestFinished(() => clock.close());
    const cleanUp = createCleanUp({
      db,
      clock,
      async backUp() {
        await during.backUp();
        backups.push(`backup-${backups.length + 1}`);
        return backups.at(-1)!;
      },
      replaceBackups: async () => ({ replaced: [], byHand: [] }),
      onHold: (hold) => holds.push(hold),
    });
    const confirm = async (actor: Actor = ADMIN) => {
      const hold = await findOpenHold(db);
      return hold ? confirmCleanUp({ db, clock, deletions: clock }, hold.id, actor) : null;
    };
    return { clock, ...cleanUp, confirm };
  };
  const count = async () => (await db.one<{ n: number }>('SELECT COUNT(*) AS n FROM templates'))?.n;
  const audited = async (action: string) =>
    (await db.all('SELECT seq FROM audit_entries WHERE action = ?', action)).length;
  const state = async () => (await findOpenHold(db))?.state ?? null;
  return { db, scope, wall, start, enrol, count, audited, state, backups, holds, during };
}

describe('a clock that jumps more than two days ahead', () => {
  it('puts the clean-up on hold: five faces stay five', async () => {
    const { wall, start, count, holds, state } = await venue(5);
    const { run } = await start();
    wall.advance(FOUR_YEARS_MS);
    expect(await run('system')).toBeNull();
    expect([await count(), await state()]).toEqual([5, 'waiting']);
    expect(holds).toEqual([expect.objectContaining({ reason: 'clock_ahead', clockAt: NOW + FOUR_YEARS_MS })]);
    // Service time advances between the start and the jump.
    expect((holds[0]?.seenAt ?? 0) - NOW).toBeGreaterThanOrEqual(0);
    expect((holds[0]?.seenAt ?? 0) - NOW).toBeLessThan(60_000);
    expect(await run('system')).toBeNull();
    expect(holds).toHaveLength(1);
  });

  it('needs no confirmation once the clock is corrected, and everything is as before', async () => {
    const { wall, start, count, state } = await venue(5);
    const { run, resume, clock } = await start();
    wall.advance(FOUR_YEARS_MS);
    await run('system');
    wall.advance(-FOUR_YEARS_MS);
    await resume();
    expect(await state()).toBeNull();
    expect(await run('system')).toMatchObject({ templates: 0 });
    expect([await count(), clock.doubt()]).toEqual([5, null]);
    expect(clock.now()).toBeLessThan(NOW + DAY_MS);
  });

  it('neither ends nor lengthens a block set meanwhile, once the clock is corrected', async () => {
    const { db, scope, wall, start } = await venue(1);
    const { run, resume, clock } = await start();
    wall.advance(FOUR_YEARS_MS);
    await run('system');
    const why = { contact: 'duty manager', reason: 'fought with staff', actor: ADMIN } as const;
    await blockPerson({ db, clock }, scope, `person-${NOW}-0`, { action: 'refuse', days: 30, ...why });
    wall.advance(-FOUR_YEARS_MS);
    await resume();
    const [block] = (await readBlocks({ db, clock }, scope, {})).items;
    const lastsMs = Date.parse(block?.expires_at ?? '') - clock.now();
    expect(Math.ceil(lastsMs / DAY_MS)).toBe(30);
  });

  it('runs once an admin confirms it, after a backup', async () => {
    const { wall, start, count, state, backups, during } = await venue(5);
    const { run, resume, confirm, clock } = await start();
    wall.advance(FOUR_YEARS_MS);
    await run('system');
    expect(await confirm()).toBe(true);
    during.backUp = async () => expect(await count()).toBe(5);
    await resume();
    expect([await count(), await state(), backups.length]).toEqual([0, null, 1]);
    expect(clock.deletionTime()).toBe(NOW + FOUR_YEARS_MS);
  });

  it('is confirmed once, however many admins confirm at the same time', async () => {
    const { wall, start, audited } = await venue(5);
    const [one, other] = [await start(), await start()];
    wall.advance(FOUR_YEARS_MS);
    await one.run('system');
    const confirmed = await Promise.all([one.confirm('operator:ada'), other.confirm('operator:bob')]);
    expect(confirmed.toSorted()).toEqual([false, true]);
    expect(await audited('retention.confirm')).toBe(1);
    await Promise.all([one.resume(), other.resume()]);
    expect(await audited('retention.run')).toBe(1);
  });

  it('removes nothing if the clock is corrected between the confirmation and the run', async () => {
    const { wall, start, count, state, backups } = await venue(5);
    const { run, resume, confirm, clock } = await start();
    wall.advance(FOUR_YEARS_MS);
    await run('system');
    await confirm();
    wall.advance(-FOUR_YEARS_MS);
    await resume();
    expect([await count(), await state(), backups.length, clock.doubt()]).toEqual([5, null, 0, null]);
  });

  it('removes nothing if the clock is corrected while the backup is made', async () => {
    const { wall, start, count, state, during } = await venue(5);
    const { run, resume, confirm, clock } = await start();
    wall.advance(FOUR_YEARS_MS);
    await run('system');
    await confirm();
    during.backUp = () => wall.advance(-FOUR_YEARS_MS);
    await resume();
    expect([await count(), await state(), clock.doubt()]).toEqual([5, null, null]);
  });

  it('asks again if the clock shows another time than the confirmed one', async () => {
    const { wall, start, count, state } = await venue(5);
    const { run, resume, confirm } = await start();
    wall.advance(FOUR_YEARS_MS);
    await run('system');
    await confirm();
    wall.advance(FOUR_YEARS_MS);
    await resume();
    expect([await count(), await state()]).toEqual([5, 'waiting']);
  });

  it('continues after a process ended between the backup and the removal', async () => {
    const { db, wall, start, count, state, backups } = await venue(5);
    const first = await start();
    wall.advance(FOUR_YEARS_MS);
    await first.run('system');
    await first.confirm();
    // The last durable step before the removal.
    await db.tx(async (tx) => {
      await tx.run(`UPDATE retention_holds SET state = 'running', backup = 'made' WHERE state = 'confirmed'`);
      await tx.run('UPDATE clock_state SET seen_at = ?', wall.now());
    });
    const second = await start();
    await second.resume();
    expect([await count(), await state(), backups.length]).toEqual([0, null, 0]);
  });

  it('keeps everything if the backup fails, and reports why', async () => {
    const { db, wall, start, count, during } = await venue(5);
    const { run, resume, confirm } = await start();
    wall.advance(FOUR_YEARS_MS);
    await run('system');
    await confirm();
    during.backUp = () => Promise.reject(new Error('The disk is full.'));
    await expect(resume()).rejects.toThrow('full');
    expect(await count()).toBe(5);
    expect(await findOpenHold(db)).toMatchObject({ state: 'confirmed', failure: 'backup_failed' });
  });

  it('holds what was enrolled while the clock was behind, once it is corrected', async () => {
    const { wall, start, count, state, enrol } = await venue(0);
    wall.advance(-FOUR_YEARS_MS);
    const { run } = await start();
    await enrol(5, wall.now());
    wall.advance(FOUR_YEARS_MS);
    expect(await run('system')).toBeNull();
    expect([await count(), await state()]).toEqual([5, 'waiting']);
  });
});

describe('a clock more than two days behind', () => {
  it('is put on hold, too; once confirmed, the machine’s time applies and nothing lasts until the old one', async () => {
    const { db, wall, start, count, state } = await venue(5);
    wall.advance(FOUR_YEARS_MS);
    const { run, resume, confirm, clock } = await start();
    await db.write('UPDATE people SET last_seen_at = ?', wall.now());
    await db.write('UPDATE keys SET ends_at = ?', wall.now() + HOUR_MS);
    wall.advance(-FOUR_YEARS_MS);
    expect(await run('system')).toBeNull();
    expect([await state(), clock.now() >= NOW + FOUR_YEARS_MS]).toEqual(['waiting', true]);
    await confirm();
    await resume();
    expect([await count(), await state(), clock.now() - NOW < DAY_MS]).toEqual([5, null, true]);
    const { last } = (await db.one<{ last: number }>('SELECT MAX(last_seen_at) AS last FROM people'))!;
    const { ends } = (await db.one<{ ends: number }>('SELECT MAX(ends_at) AS ends FROM keys'))!;
    expect([last, ends]).toEqual([NOW, NOW]);
  });
});

describe('a clean-up that would remove many faces', () => {
  it.each([
    { due: 20, kept: 0, putOff: false, why: 'not more than 20' },
    { due: 21, kept: 84, putOff: false, why: 'a fifth, not more' },
    { due: 21, kept: 83, putOff: true, why: 'more than 20 and more than a fifth' },
  ])('$due of $due + $kept: on hold $putOff ($why)', async ({ due, kept, putOff }) => {
    const { db, start, count, enrol, state } = await venue(due, { seenAt: NOW - 3 * DAY_MS });
    await enrol(kept, NOW);
    const { run, confirm, resume, clock } = await start();
    await saveRetention({ db, clock }, { template_inactive: 1 }, ADMIN);
    await run('system');
    expect([await count(), await state()]).toEqual(putOff ? [due + kept, 'waiting'] : [kept, null]);
    if (!putOff) return;
    await run('system');
    await confirm();
    await resume();
    expect([await count(), await state()]).toEqual([kept, null]);
  });

  it('ends its hold once the faces are no longer due', async () => {
    const { db, start, count, state } = await venue(30, { seenAt: NOW - 3 * DAY_MS });
    const { run, clock } = await start();
    await saveRetention({ db, clock }, { template_inactive: 1 }, ADMIN);
    await run('system');
    await saveRetention({ db, clock }, { template_inactive: DEFAULT_RETENTION.templateInactiveDays }, ADMIN);
    await run('system');
    expect([await count(), await state()]).toEqual([30, null]);
  });
});
