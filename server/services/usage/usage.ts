/** The usage page: today against the cap, the previous days, and the breakdown. */
import {
  type CapChangeItem,
  MAX_USAGE_DAYS,
  USAGE_DAYS,
  type UsageDay,
  type UsagePart,
  type UsageParts,
  type UsageToday,
} from '../../contract/console/usage.ts';
import { readDay } from '../../contract/times.ts';
import { pageLimit, toPage } from '../../domain/cursor.ts';
import { meteringDay, utcDay } from '../../domain/days.ts';
import type { Scope } from '../../domain/scope.ts';
import { dayEnd, forecastUsage, paceSince } from '../../domain/usage/forecast.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { countSettledOn, latestMeteredDay } from '../../store/usage/usage.ts';
import {
  countChecksSince,
  type DayRange,
  listCapChanges,
  listMeteredDays,
  sumByPart,
  sumOutcomesByDay,
} from '../../store/usage/report.ts';
import type { Ports } from '../ports/ports.ts';
import { iso, isoOrNull, placeOf } from '../wire/values.ts';
import { versionOf } from '../wire/versions.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { joinedLabel } from '../companies/verifications.ts';

type Deps = Pick<Ports, 'db' | 'clock'>;

const DAY_MS = 86_400_000;
const MAX_PARTS = 100;
/** Outcomes that admitted a person; `joined` is a known person in another region without a check. */
const APPROVED: readonly string[] = ['approved', 'flagged', 'joined'];

export async function readToday({ db, clock }: Deps, scope: Scope, cap: number): Promise<UsageToday> {
  const nowMs = clock.now();
  const day = meteringDay(nowMs, await latestMeteredDay(db, scope));
  const counted = await countSettledOn(db, scope, day);
  const recent = await countChecksSince(db, scope, paceSince(nowMs));
  const { perHour, byMidnight, capReachedAt } = forecastUsage({ counted, recent, cap, nowMs });
  return {
    day,
    counted,
    cap,
    version: versionOf({ daily_limit: cap }),
    forecast: { per_hour: perHour, by_midnight: byMidnight, cap_reached_at: isoOrNull(capReachedAt) },
    ends_at: iso(dayEnd(nowMs)),
  };
}

/**
 * The requested range, else the last 90 days.
 * @throws Refusal `invalid_day`, `invalid_day_range`
 */
export function usageRange({ clock }: Pick<Deps, 'clock'>, asked: { from?: string; to?: string }): DayRange {
  const to = asked.to ?? utcDay(clock.now());
  const from = asked.from ?? utcDay(startOf(to) - (USAGE_DAYS - 1) * DAY_MS);
  const days = (startOf(to) - startOf(from)) / DAY_MS + 1;
  if (!(days >= 1 && days <= MAX_USAGE_DAYS)) {
    throw new Refusal('invalid_day_range', { args: { max: MAX_USAGE_DAYS } });
  }
  return { from, to };
}

function startOf(day: string): number {
  const start = readDay(day);
  if (start === null) throw new Refusal('invalid_day', { args: { text: day } });
  return start;
}

/** The days of a range, oldest first. */
export function daysOf({ from, to }: DayRange): string[] {
  const days: string[] = [];
  for (let at = startOf(from); at <= startOf(to); at += DAY_MS) days.push(utcDay(at));
  return days;
}

/** Every day of the range, including those without guests. */
export async function readDays(db: SqlReader, scope: Scope, range: DayRange): Promise<UsageDay[]> {
  const days = new Map<string, UsageDay>(
    daysOf(range).map((day) => [day, { day, counted: 0, approved: 0, in_review: 0, denied: 0 }]),
  );
  for (const { day, settled } of await listMeteredDays(db, scope, range)) {
    const row = days.get(day);
    if (row) row.counted = settled;
  }
  for (const { day, outcome, settled } of await sumOutcomesByDay(db, scope, range)) {
    const row = days.get(day);
    if (!row) continue;
    if (APPROVED.includes(outcome)) row.approved += settled;
    else if (outcome === 'review') row.in_review += settled;
    else row.denied += settled;
  }
  return [...days.values()];
}

export async function readParts(
  db: SqlReader,
  scope: Scope,
  range: DayRange,
  part: UsagePart,
): Promise<UsageParts> {
  const sums = await sumByPart(db, scope, range, part);
  return {
    items: sums.slice(0, MAX_PARTS).map((sum) => ({
      key: sum.key,
      verification: sum.verificationId === null ? null : joinedLabel(sum),
      results: sum.settled,
    })),
    rest: sums.slice(MAX_PARTS).reduce((sum, { settled }) => sum + settled, 0),
  };
}

/** Newest first. @throws Refusal `invalid_cursor` */
export async function readCapChanges(
  db: SqlReader,
  companyId: string,
  query: { cursor?: string; limit?: number },
): Promise<{ items: CapChangeItem[]; next_cursor: string | null }> {
  const limit = pageLimit(query);
  const before = placeOf(query.cursor, ['number']);
  const rows = await listCapChanges(db, companyId, { beforeSeq: before?.[0] ?? null, limit: limit + 1 });
  return toPage(
    rows,
    limit,
    ({ seq }) => [seq],
    (row) => ({
      from_limit: row.fromLimit,
      daily_limit: row.dailyLimit,
      changed_at: iso(row.changedAt),
      changed_by: row.changedBy,
      operator_name: row.operatorName,
      reason: row.reason,
    }),
  );
}
