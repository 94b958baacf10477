/** How long personal data is kept (product, "Privacy"). */
import type { RetentionChange, RetentionDays, RetentionSettings } from '../../contract/console/settings.ts';
import type { Partition } from '../../domain/scope.ts';
import { daysUntil } from '../../domain/venue/event.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import { changeSetting } from '../../store/operators/audit.ts';
import type { Database, SqlReader } from '../../store/sql/port.ts';
import { readSetting } from '../../store/settings.ts';
import { poolOfRun } from '../matching/face-pool.ts';
import type { Clock } from '../ports/clock.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { changedNames, type ChangeLog, mergeChange, versionOf } from '../wire/versions.ts';
import { TEST_DATA_AGE_DAYS } from './test-data.ts';

const SETTING = 'retention';

type RetentionPeriods = {
  /** How long pictures of a case are kept after its decision. */
  caseFramesDays: number;
  /** Faces of people who have not come back for this long are deleted. */
  templateInactiveDays: number;
  /** How long an abandoned run keeps data about its person after it began. */
  abandonedRunDays: number;
};

export const DEFAULT_RETENTION: RetentionPeriods = {
  caseFramesDays: 30,
  templateInactiveDays: 3 * 365,
  abandonedRunDays: 90,
};

/** Bounds of each period, in days. No setting keeps a face beyond three years of absence. */
const RETENTION_LIMITS: Record<keyof RetentionPeriods, { min: number; max: number }> = {
  caseFramesDays: { min: 0, max: 365 },
  templateInactiveDays: { min: 1, max: 3 * 365 },
  abandonedRunDays: { min: 31, max: 365 },
};

export async function readRetention(db: SqlReader): Promise<RetentionPeriods> {
  return { ...DEFAULT_RETENTION, ...(await readSetting<Partial<RetentionPeriods>>(db, SETTING)) };
}

/** Days without a visit after which a face enrolled now is deleted, as the consent text says. */
export const faceDays = async (db: SqlReader, partition: Partition): Promise<number> =>
  faceDaysIn(await readRetention(db), partition);

/**
 * For how long the face of a run is kept that is enrolled now, at most: `retentionDays` from now or from the last visit, and
 * `facesDays` after its event; null if the organiser keeps it. `isSealed`: with the ticket.
 */
export async function facePeriodOf(
  db: SqlReader,
  run: Parameters<typeof poolOfRun>[1],
  nowMs: number,
): Promise<{ retentionDays: number; facesDays: number | null; isSealed: boolean }> {
  const { untilMs, facesDays, isSealed } = await poolOfRun(db, run);
  const retentionDays = daysUntil(untilMs, nowMs, await faceDays(db, run.scope.partition));
  return { retentionDays, facesDays, isSealed };
}

export const faceDaysIn = ({ templateInactiveDays: days }: RetentionPeriods, partition: Partition): number =>
  partition === 'test' ? Math.min(days, TEST_DATA_AGE_DAYS) : days;

/** The first period out of bounds; null if all are within them. */
export function retentionFault(periods: RetentionPeriods): keyof RetentionPeriods | null {
  const names = Object.keys(RETENTION_LIMITS) as (keyof RetentionPeriods)[];
  const isWrong = (name: keyof RetentionPeriods) => {
    const { min, max } = RETENTION_LIMITS[name];
    return !Number.isInteger(periods[name]) || periods[name] < min || periods[name] > max;
  };
  return names.find(isWrong) ?? null;
}

const daysOf = (periods: RetentionPeriods): RetentionDays => ({
  case_frames: periods.caseFramesDays,
  template_inactive: periods.templateInactiveDays,
  abandoned_run: periods.abandonedRunDays,
});

export async function readRetentionSettings({ db }: { db: SqlReader }): Promise<RetentionSettings> {
  const days = daysOf(await readRetention(db));
  return {
    version: versionOf(days),
    days,
    bounds: {
      case_frames: RETENTION_LIMITS.caseFramesDays,
      template_inactive: RETENTION_LIMITS.templateInactiveDays,
      abandoned_run: RETENTION_LIMITS.abandonedRunDays,
    },
  };
}

/** @throws Refusal `period_out_of_range`, `changed_meanwhile` */
export async function saveRetention(
  { db, clock }: { db: Database; clock: Clock },
  { version, ...sent }: RetentionChange,
  actor: Actor,
): Promise<void> {
  await db.tx(async (tx) => {
    const before = await readRetention(tx);
    const current = daysOf(before);
    const log: ChangeLog = { subject: 'installation', actions: ['retention.change'] };
    const days = { ...current, ...(await mergeChange(tx, { version, current, sent, log })) };
    const after: RetentionPeriods = {
      caseFramesDays: days.case_frames,
      templateInactiveDays: days.template_inactive,
      abandonedRunDays: days.abandoned_run,
    };
    const fault = retentionFault(after);
    if (fault) {
      const { min, max } = RETENTION_LIMITS[fault];
      throw new Refusal('period_out_of_range', { args: { min, max } });
    }
    await changeSetting(tx, SETTING, after, {
      at: clock.now(),
      actor,
      action: 'retention.change',
      details: { before, after, changed: changedNames(current, daysOf(after)) },
    });
  });
}
