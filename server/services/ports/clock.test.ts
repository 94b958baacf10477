/** Decisions §1.5: what has ended stays ended, and no clock alone causes a deletion. */
import { describe, expect, it } from 'vitest';
import { readClockState } from '../../store/maintenance/time-correction.ts';
import { NOW } from '../../../testing/store/rows.ts';
import { testClock } from '../../../testing/service/temp-service.ts';
import { openTempStore, tempDir } from '../../../testing/store/temp-store.ts';
import { createServiceClock } from './clock.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FOUR_YEARS_MS = 4 * 365 * DAY_MS;

async function started(dir = tempDir(), wallMs = NOW) {
  const db = await openTempStore(dir);
  const wall = testClock(wallMs);
  const steady = testClock(0);
  const start = () =>
    createServiceClock(db, {
      wall,
      onError: () => undefined,
      steadyNowMs: () => steady.now(),
    });
  const clock = await start();
  /** Both clocks advance, as they do unless someone sets one. */
  const pass = (ms: number) => {
    wall.advance(ms);
    steady.advance(ms);
  };
  return { db, wall, steady, clock, start, pass };
}

describe('service time', () => {
  it('is the machine’s time while its clock advances', async () => {
    const { clock, pass } = await started();
    pass(90 * 60_000);
    expect(clock.now()).toBe(NOW + 90 * 60_000);
  });

  it('never goes back with the clock, and lets the clock catch up', async () => {
    const { clock, wall, pass } = await started();
    pass(HOUR_MS);
    expect(clock.now()).toBe(NOW + HOUR_MS);
    wall.advance(-HOUR_MS);
    expect(clock.now()).toBe(NOW + HOUR_MS);
    pass(HOUR_MS);
    expect(clock.now()).toBe(NOW + 1.5 * HOUR_MS);
    pass(HOUR_MS);
    expect(clock.now()).toBe(NOW + 2 * HOUR_MS);
    pass(HOUR_MS);
    expect(clock.now()).toBe(NOW + 3 * HOUR_MS);
  });

  it('is ahead of the time for deletions after the clock was three hours ahead, until both agree', async () => {
    const { clock, wall, pass } = await started();
    const aheadMs = () => clock.now() - (clock.deletionTime() ?? 0);
    wall.advance(3 * HOUR_MS);
    await clock.sync();
    expect(aheadMs()).toBe(0);
    wall.advance(-3 * HOUR_MS);
    expect(aheadMs()).toBe(3 * HOUR_MS);
    pass(2 * HOUR_MS);
    expect(aheadMs()).toBe(2 * HOUR_MS);
    pass(4 * HOUR_MS);
    expect(aheadMs()).toBe(0);
  });

  it('does not go back over a restart', async () => {
    const { clock, wall, pass, start } = await started();
    pass(HOUR_MS);
    await clock.close();
    wall.advance(-HOUR_MS);
    const again = await start();
    expect(again.now()).toBe(NOW + HOUR_MS);
    expect(again.doubt()).toBeNull();
    await again.close();
  });

  it('follows what another process on the same database has seen', async () => {
    const { clock, pass, wall, start } = await started();
    const other = await start();
    pass(HOUR_MS);
    await other.sync();
    wall.advance(-HOUR_MS);
    await clock.sync();
    expect(clock.now()).toBe(NOW + HOUR_MS);
    await other.close();
  });
});

describe('a jump of more than two days', () => {
  it('forward is followed but not saved, and permits no deletion', async () => {
    const { db, clock, wall, pass } = await started();
    wall.advance(FOUR_YEARS_MS);
    expect(clock.deletionTime()).toBeNull();
    expect(clock.doubt()).toEqual({ kind: 'clock_ahead', clockMs: NOW + FOUR_YEARS_MS, seenMs: NOW });
    expect(clock.now()).toBe(NOW + FOUR_YEARS_MS);
    pass(HOUR_MS);
    await clock.sync();
    expect(await readClockState(db)).toEqual({ seenAt: NOW, resets: 0 });
    wall.advance(-FOUR_YEARS_MS);
    expect([clock.now(), clock.deletionTime(), clock.doubt()]).toEqual([NOW + HOUR_MS, NOW + HOUR_MS, null]);
  });

  it('of two days exactly is still trusted', async () => {
    const { clock, wall } = await started();
    wall.advance(2 * DAY_MS);
    expect(clock.deletionTime()).toBe(NOW + 2 * DAY_MS);
    wall.advance(1);
    expect(clock.deletionTime()).toBeNull();
  });

  it('back keeps service time, and permits no deletion', async () => {
    const { clock, wall } = await started();
    wall.advance(-FOUR_YEARS_MS);
    expect(clock.now()).toBe(NOW);
    expect(clock.deletionTime()).toBeNull();
    expect(clock.doubt()?.kind).toBe('clock_behind');
  });

  it('back by less deletes by the earlier of both times', async () => {
    const { clock, wall } = await started();
    wall.advance(-HOUR_MS);
    expect(clock.deletionTime()).toBe(NOW - HOUR_MS);
  });
});
