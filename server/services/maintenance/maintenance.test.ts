/** Contract, "What the service does" 8; decisions §3.17. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../store/sql/port.ts';
import { NOW } from '../../../testing/store/rows.ts';
import { testClock } from '../../../testing/service/temp-service.ts';
import { openTempStore } from '../../../testing/store/temp-store.ts';
import { readMaintenance, setMaintenance, watchMaintenance } from './maintenance.ts';

async function gateOn(db: Database, clock = testClock()) {
  const gate = await watchMaintenance(db, clock, () => undefined);
  onTestFinished(() => gate.close());
  return gate;
}

describe('maintenance', () => {
  it('is off until it is turned on', async () => {
    const db = await openTempStore();
    expect(await readMaintenance(db)).toEqual({ on: false, until: null });
    expect((await gateOn(db)).retryAfterS()).toBeNull();
  });

  it('without a known end asks to try again later', async () => {
    const db = await openTempStore();
    await setMaintenance(db, testClock(), { on: true, until: null }, 'cli');
    expect((await gateOn(db)).retryAfterS()).toBeGreaterThan(0);
  });

  it('maintenance with a known end says how long it lasts, and ends automatically', async () => {
    const db = await openTempStore();
    const clock = testClock();
    await setMaintenance(db, clock, { on: true, until: NOW + 90_500 }, 'cli');
    const gate = await gateOn(db, clock);
    expect(gate.retryAfterS()).toBe(91);
    clock.set(NOW + 90_499);
    expect(gate.retryAfterS()).toBe(1);
    clock.set(NOW + 90_500);
    expect(gate.retryAfterS()).toBeNull();
  });

  it('is written to the audit log', async () => {
    const db = await openTempStore();
    await setMaintenance(db, testClock(), { on: true, until: null }, 'cli');
    await setMaintenance(db, testClock(), { on: false, until: null }, 'operator:1');
    expect(await db.all('SELECT actor, action FROM audit_entries ORDER BY seq')).toEqual([
      { actor: 'cli', action: 'maintenance.on' },
      { actor: 'operator:1', action: 'maintenance.off' },
    ]);
    expect(await readMaintenance(db)).toEqual({ on: false, until: null });
  });
});
