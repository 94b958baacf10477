/**
 * Maintenance as the console shows and plans it. It begins and ends automatically in every process on the database.
 */
import type { Actor } from '../../domain/operators/actor.ts';
import type { MaintenancePlan, MaintenanceState } from '../../contract/console/settings.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { cancelWindow, insertWindow, listWindows } from '../../store/maintenance/windows.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import type { Ports } from '../ports/ports.ts';
import { newId } from '../ports/ids.ts';
import { maintenanceEnd, readMaintenance, setMaintenance } from './maintenance.ts';
import { venueTime } from '../companies/zones.ts';
import { iso } from '../wire/values.ts';
import { Refusal, notFound } from '../../refusals/refusal.ts';

type Deps = Pick<Ports, 'db' | 'clock'>;

/** A longer window has the wrong date. */
const DAY_MS = 86_400_000;
const MAX_WINDOW_MS = 7 * DAY_MS;

export async function readMaintenanceState({
  db,
  clock,
}: {
  db: SqlReader;
  clock: Deps['clock'];
}): Promise<MaintenanceState> {
  const nowMs = clock.now();
  const switched = await readMaintenance(db);
  const planned = await listWindows(db, nowMs);
  const end = maintenanceEnd(switched, planned, nowMs);
  const running = planned.find(({ startsAt }) => startsAt <= nowMs);
  return {
    is_on: end !== null,
    until: end === null || end === Infinity ? null : iso(end),
    switched_by_hand: switched.on && (switched.until === null || switched.until > nowMs),
    notice: running?.notice ?? '',
    planned: planned.map(({ id, startsAt, endsAt, notice }) => ({
      window_id: id,
      starts_at: iso(startsAt),
      ends_at: iso(endsAt),
      notice,
    })),
  };
}

/** @param until ISO 8601; null for no known end @throws Refusal `invalid_time` */
export async function switchMaintenance(
  { db, clock }: Deps,
  { on, until }: { on: boolean; until: string | null },
  actor: Actor,
): Promise<void> {
  const untilMs = on && until !== null ? await venueTime(db, null, until) : null;
  if (untilMs !== null && untilMs <= clock.now()) {
    throw new Refusal('maintenance_ends_in_past');
  }
  await setMaintenance(db, clock, { on, until: untilMs }, actor);
}

/** @throws Refusal `invalid_time` */
export async function planMaintenance(
  { db, clock }: Deps,
  plan: MaintenancePlan,
  actor: Actor,
): Promise<void> {
  const at = clock.now();
  const startsAt = await venueTime(db, null, plan.starts_at);
  const endsAt = await venueTime(db, null, plan.ends_at);
  if (startsAt <= at) throw new Refusal('maintenance_starts_in_past');
  if (endsAt <= startsAt) throw new Refusal('maintenance_ends_before_start');
  if (endsAt - startsAt > MAX_WINDOW_MS) {
    throw new Refusal('maintenance_too_long', { args: { days: MAX_WINDOW_MS / DAY_MS } });
  }
  const window = { id: newId(at), startsAt, endsAt, notice: plan.notice.trim() };
  await db.tx(async (tx) => {
    await insertWindow(tx, { ...window, createdBy: actor, createdAt: at });
    await appendAudit(tx, {
      at,
      actor,
      action: 'maintenance.plan',
      subject: window.id,
      details: { starts_at: iso(startsAt), ends_at: iso(endsAt), notice: window.notice },
    });
  });
}

/**
 * Cancels a window; the current one ends now.
 * @throws Refusal `not_found`
 */
export async function cancelMaintenance({ db, clock }: Deps, id: string, actor: Actor): Promise<void> {
  const at = clock.now();
  await db.tx(async (tx) => {
    if ((await cancelWindow(tx, id, at)) === 0) throw notFound();
    await appendAudit(tx, { at, actor, action: 'maintenance.cancel', subject: id });
  });
}
