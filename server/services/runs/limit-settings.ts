/** The limits of use without a key, as the settings page shows and changes them. */
import type { Actor } from '../../domain/operators/actor.ts';
import type { LimitChange, LimitSettings } from '../../contract/console/settings.ts';
import { changeLimits, LIMIT_BOUNDS, limitFault, type Limits, readLimits } from '../limits.ts';
import { ownCodesToday } from '../phone/own-code-limits.ts';
import type { Ports } from '../ports.ts';
import { ConsoleError } from '../errors.ts';

export async function readLimitSettings({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<LimitSettings> {
  const { ownCodesPerDay, sessionsPerHour } = await readLimits(db);
  return {
    own_codes_per_day: ownCodesPerDay,
    own_codes_today: await ownCodesToday(db, clock.now()),
    sessions_per_hour: sessionsPerHour,
    bounds: {
      own_codes_per_day: LIMIT_BOUNDS.ownCodesPerDay,
      sessions_per_hour: LIMIT_BOUNDS.sessionsPerHour,
    },
  };
}

/** @throws ConsoleError `setting_out_of_range` */
export async function changeLimitSettings(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { own_codes_per_day: ownCodesPerDay, sessions_per_hour: sessionsPerHour }: LimitChange,
  actor: Actor,
): Promise<void> {
  const change: Partial<Limits> = {
    ...(ownCodesPerDay !== undefined && { ownCodesPerDay }),
    ...(sessionsPerHour !== undefined && { sessionsPerHour }),
  };
  const fault = limitFault(change);
  if (fault !== null) {
    throw new ConsoleError('setting_out_of_range', LIMIT_BOUNDS[fault]);
  }
  await changeLimits(db, clock, change, actor);
}
