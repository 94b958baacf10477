import { expect, it, onTestFinished } from 'vitest';
import { NOW } from '../../../testing/store/rows.ts';
import { testClock } from '../../../testing/service/temp-service.ts';
import { openTempStore } from '../../../testing/store/temp-store.ts';
import { maintenanceEnd, setMaintenance, watchMaintenance } from './maintenance.ts';
import { iso } from '../wire/values.ts';
import { cancelMaintenance, planMaintenance, readMaintenanceState } from './plan.ts';

const HOUR_MS = 3_600_000;
const ADMIN = 'operator:1';

async function planned() {
  const deps = { db: await openTempStore(), clock: testClock() };
  const plan = { starts_at: iso(NOW + HOUR_MS), ends_at: iso(NOW + 2 * HOUR_MS), notice: 'New server' };
  await planMaintenance(deps, plan, ADMIN);
  return deps;
}

it('is announced, begins at its time and ends automatically, even after a restart', async () => {
  const { db, clock } = await planned();
  const gate = await watchMaintenance(db, clock, () => undefined);
  onTestFinished(() => gate.close());
  expect(gate.retryAfterS()).toBeNull();
  expect(await readMaintenanceState({ db, clock })).toMatchObject({
    is_on: false,
    planned: [{ notice: 'New server' }],
  });
  clock.advance(HOUR_MS);
  expect(gate.retryAfterS()).toBe(3_600);
  expect(await readMaintenanceState({ db, clock })).toMatchObject({ is_on: true, notice: 'New server' });
  const restarted = await watchMaintenance(db, clock, () => undefined);
  onTestFinished(() => restarted.close());
  expect(restarted.retryAfterS()).toBe(3_600);
  clock.advance(HOUR_MS);
  expect(gate.retryAfterS()).toBeNull();
  expect((await readMaintenanceState({ db, clock })).planned).toEqual([]);
});

it('can be cancelled once, and is recorded in the audit log', async () => {
  const { db, clock } = await planned();
  const [window] = (await readMaintenanceState({ db, clock })).planned;
  await cancelMaintenance({ db, clock }, window?.window_id ?? '', ADMIN);
  await expect(cancelMaintenance({ db, clock }, window?.window_id ?? '', ADMIN)).rejects.toThrow();
  expect((await readMaintenanceState({ db, clock })).planned).toEqual([]);
  expect(await db.all('SELECT action FROM audit_entries ORDER BY seq')).toEqual([
    { action: 'maintenance.plan' },
    { action: 'maintenance.cancel' },
  ]);
});

it('refuses implausible times', async () => {
  const deps = { db: await openTempStore(), clock: testClock() };
  const plan = (from: number, to: number) =>
    planMaintenance(deps, { starts_at: iso(NOW + from), ends_at: iso(NOW + to), notice: '' }, ADMIN);
  await expect(plan(-HOUR_MS, HOUR_MS)).rejects.toMatchObject({ code: 'maintenance_starts_in_past' });
  await expect(plan(2 * HOUR_MS, HOUR_MS)).rejects.toMatchObject({ code: 'maintenance_ends_before_start' });
  await expect(plan(HOUR_MS, 240 * HOUR_MS)).rejects.toMatchObject({ code: 'maintenance_too_long' });
  await expect(
    planMaintenance(deps, { starts_at: 'soon', ends_at: 'later', notice: '' }, ADMIN),
  ).rejects.toMatchObject({ code: 'invalid_time' });
});

it('manual and planned maintenance form one period', async () => {
  const { db, clock } = await planned();
  await setMaintenance(db, clock, { on: true, until: NOW + HOUR_MS }, ADMIN);
  expect(await readMaintenanceState({ db, clock })).toMatchObject({
    is_on: true,
    until: iso(NOW + 2 * HOUR_MS),
    switched_by_hand: true,
  });
  expect(maintenanceEnd({ on: true, until: null }, [], NOW)).toBe(Infinity);
});
