/** Limits of the installation that an admin can change (decisions §6). */
import type { Actor } from '../../domain/operators/actor.ts';
import { changeSetting } from '../../store/operators/audit.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';
import { readSetting } from '../../store/settings.ts';
import type { Clock } from '../ports/clock.ts';
import { changedNames } from '../wire/versions.ts';

const SETTING = 'limits';

export type Limits = {
  /** Codes that can be requested without a session, per UTC day. */
  ownCodesPerDay: number;
  /** Sessions that one address may start without a secret key, per hour. */
  sessionsPerHour: number;
};

const DEFAULTS: Limits = { ownCodesPerDay: 500, sessionsPerHour: 1_200 };

/** The allowed range. Setting zero codes is a way to stop a flood. */
export const LIMIT_BOUNDS: Readonly<Record<keyof Limits, { min: number; max: number }>> = {
  ownCodesPerDay: { min: 0, max: 100_000 },
  sessionsPerHour: { min: 60, max: 100_000 },
};

export async function readLimits(db: SqlReader): Promise<Limits> {
  return { ...DEFAULTS, ...(await readSetting<Partial<Limits>>(db, SETTING)) };
}

/** The first value out of range; null if all are in range. */
export function limitFault(change: Partial<Limits>): keyof Limits | null {
  const isWithin = (name: keyof Limits) => {
    const { min, max } = LIMIT_BOUNDS[name];
    const value = change[name];
    return value === undefined || (value >= min && value <= max);
  };
  const names = Object.keys(LIMIT_BOUNDS) as (keyof Limits)[];
  return names.find((name) => !isWithin(name)) ?? null;
}

/** Applies from the next request on; values left out stay unchanged. The audit log records the values before and after. */
export async function storeLimits(
  tx: SqlTx,
  clock: Clock,
  change: Partial<Limits>,
  actor: Actor,
): Promise<void> {
  const before = await readLimits(tx);
  const after: Limits = { ...before, ...change };
  await changeSetting(tx, SETTING, after, {
    at: clock.now(),
    actor,
    action: 'limits.change',
    details: {
      own_codes_per_day: [before.ownCodesPerDay, after.ownCodesPerDay],
      sessions_per_hour: [before.sessionsPerHour, after.sessionsPerHour],
      changed: changedNames(limitFields(before), limitFields(after)),
    },
  });
}

/** As on the wire. */
export const limitFields = ({ ownCodesPerDay, sessionsPerHour }: Limits) => ({
  own_codes_per_day: ownCodesPerDay,
  sessions_per_hour: sessionsPerHour,
});
