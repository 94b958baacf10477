/** The limits of use without a key, as the settings page shows and changes them. */
import type { Actor } from '../../domain/operators/actor.ts';
import type { LimitChange, LimitSettings } from '../../contract/console/settings.ts';
import { LIMIT_BOUNDS, limitFault, limitFields, type Limits, readLimits, storeLimits } from './limits.ts';
import { type ChangeLog, mergeChange, versionOf } from '../wire/versions.ts';
import { ownCodesToday } from './own-codes.ts';
import type { Ports } from '../ports/ports.ts';
import { Refusal } from '../../refusals/refusal.ts';

export async function readLimitSettings({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<LimitSettings> {
  const fields = limitFields(await readLimits(db));
  return {
    version: versionOf(fields),
    ...fields,
    own_codes_today: await ownCodesToday(db, clock.now()),
    bounds: {
      own_codes_per_day: LIMIT_BOUNDS.ownCodesPerDay,
      sessions_per_hour: LIMIT_BOUNDS.sessionsPerHour,
    },
  };
}

/** @throws Refusal `setting_out_of_range`, `changed_meanwhile` */
export async function changeLimitSettings(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { version, ...sent }: LimitChange,
  actor: Actor,
): Promise<void> {
  await db.tx(async (tx) => {
    const current = limitFields(await readLimits(tx));
    const log: ChangeLog = { subject: 'installation', actions: ['limits.change'] };
    const merged = await mergeChange(tx, { version, current, sent, log });
    const { own_codes_per_day: ownCodesPerDay, sessions_per_hour: sessionsPerHour } = merged;
    const change: Partial<Limits> = {
      ...(ownCodesPerDay !== undefined && { ownCodesPerDay }),
      ...(sessionsPerHour !== undefined && { sessionsPerHour }),
    };
    const fault = limitFault(change);
    if (fault !== null) {
      throw new Refusal('setting_out_of_range', { args: LIMIT_BOUNDS[fault] });
    }
    await storeLimits(tx, clock, change, actor);
  });
}
