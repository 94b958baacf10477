/** Scheduled maintenance: every endpoint answers 503 (contract, "What the service does" 8; decisions §3.17). */
import type { Actor } from '../../domain/operators/actor.ts';
import { changeSetting } from '../../store/operators/audit.ts';
import { type Database, INSTALLATION, type SqlReader } from '../../store/sql/port.ts';
import { listWindows, type PlannedWindow } from '../../store/maintenance/windows.ts';
import { readSetting } from '../../store/settings.ts';
import type { Clock } from '../ports/clock.ts';
import { onAnnouncement } from '../ports/turns.ts';

const SETTING = 'maintenance';
/** How soon followers are told that maintenance has begun or ended by the clock. */
const COMPARE_MS = 1_000;
/** Value of `Retry-After` if no end is known. */
const DEFAULT_RETRY_S = 300;

/** `until` in epoch milliseconds, null for no known end. */
type Maintenance = { on: boolean; until: number | null };

const OFF: Maintenance = { on: false, until: null };

export async function readMaintenance(db: SqlReader): Promise<Maintenance> {
  return (await readSetting<Maintenance>(db, SETTING)) ?? OFF;
}

export async function setMaintenance(
  db: Database,
  clock: Clock,
  maintenance: Maintenance,
  actor: Actor,
): Promise<void> {
  await db.tx(async (tx) => {
    await changeSetting(tx, SETTING, maintenance, {
      at: clock.now(),
      actor,
      action: maintenance.on ? 'maintenance.on' : 'maintenance.off',
      details: { until: maintenance.until === null ? null : new Date(maintenance.until).toISOString() },
    });
  });
}

/** Checked by routes before anything else. */
export type MaintenanceGate = {
  /** Seconds until the next try during maintenance; else null. */
  retryAfterS(): number | null;
  /** Calls back when it may have begun or ended. Returns a function that stops following. */
  follow(listener: () => void): () => void;
  close(): void;
};

/** Follows the setting and the planned windows, so that a request needs no read. */
export async function watchMaintenance(
  db: SqlReader & Pick<Database, 'follow'>,
  clock: Clock,
  onError: (error: unknown) => void,
): Promise<MaintenanceGate> {
  const listeners = new Set<() => void>();
  const read = async () => ({
    switched: await readMaintenance(db),
    planned: await listWindows(db, clock.now()),
  });
  let current = await read();
  const endNow = () => maintenanceEnd(current.switched, current.planned, clock.now());
  let wasOn = endNow() !== null;
  const compare = () => {
    const isOn = endNow() !== null;
    if (isOn === wasOn) return;
    wasOn = isOn;
    for (const listener of listeners) listener();
  };
  const readAgain = async () => {
    current = await read();
    compare();
    return undefined;
  };
  const reading = onAnnouncement(db, { topic: 'audit', subject: INSTALLATION }, readAgain, onError);
  // It begins and ends by the clock. Reads nothing.
  const timer = setInterval(compare, COMPARE_MS).unref();
  return {
    retryAfterS() {
      const end = endNow();
      if (end === null) return null;
      return end === Infinity ? DEFAULT_RETRY_S : Math.ceil((end - clock.now()) / 1_000);
    },
    follow(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      reading.stop();
      clearInterval(timer);
    },
  };
}

/**
 * End of the maintenance that is on at `nowMs`, in epoch milliseconds: `Infinity` if it has no planned end, null if
 * none is on. Manual and planned maintenance can overlap; adjoining windows count as one.
 */
export function maintenanceEnd(
  switched: Maintenance,
  planned: readonly PlannedWindow[],
  nowMs: number,
): number | null {
  let end = nowMs;
  if (switched.on) {
    if (switched.until === null) return Infinity;
    end = Math.max(end, switched.until);
  }
  for (const { startsAt, endsAt } of planned.toSorted((a, b) => a.startsAt - b.startsAt)) {
    if (startsAt <= end) end = Math.max(end, endsAt);
  }
  return end > nowMs ? end : null;
}
