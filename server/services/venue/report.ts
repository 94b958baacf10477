/** An event's report, during and after the event. */
import type { EventReport, FacesEnd, RunCounts } from '../../contract/console/events.ts';
import type { Scope } from '../../domain/scope.ts';
import { everyHour, HOUR_MS } from '../../domain/hours.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import {
  countKioskTimes,
  type KioskTimes,
  countByHour,
  countCases,
  type CountedOutcome,
  countOutcomes,
  countReasons,
  type RunSelection,
} from '../../store/venue/run-counts.ts';
import { type FacesEndRecord, listFacesEnds } from '../../store/venue/event-faces.ts';
import type { Ports } from '../ports/ports.ts';
import { iso } from '../wire/values.ts';
import { readTicketReport } from './ticket-report.ts';
import { recordOf, requireEvent } from './events.ts';

/** Beyond any time that a run can have. */
const ALWAYS = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };

/** Outcomes that admitted a person. */
const LET_IN: readonly CountedOutcome[] = ['passed', 'passed_again', 'flagged'];

export const readCounts = async (db: SqlReader, selection: RunSelection): Promise<RunCounts> =>
  summed(await countOutcomes(db, selection));

function summed(counted: readonly { outcome: CountedOutcome; n: number }[]): RunCounts {
  const counts: RunCounts = {
    ended: 0,
    passed: 0,
    passed_again: 0,
    flagged: 0,
    turned_away: 0,
    declined: 0,
    in_review: 0,
    unfinished: 0,
  };
  for (const { outcome, n } of counted) {
    counts[outcome] += n;
    counts.ended += n;
  }
  return counts;
}

/** Admitted so far, whatever else ended. */
export const letIn = ({ passed, passed_again, flagged }: RunCounts): number =>
  passed + passed_again + flagged;

/** @throws Refusal `not_found` */
export async function readReport(
  deps: Pick<Ports, 'db' | 'clock'>,
  scope: Scope,
  eventId: string,
): Promise<EventReport> {
  const { db, clock } = deps;
  const event = await requireEvent(db, scope, eventId);
  const selection: RunSelection = { scope, event, ...ALWAYS };
  // One walk over the runs gives both the hours and the totals.
  const byHour = await countByHour(db, selection);
  const times = await countKioskTimes(db, scope, event.id);
  const cases = await countCases(db, scope, event);
  const casesBy = (decision: string | null) => cases.find((found) => found.decision === decision)?.n ?? 0;
  return {
    event: await recordOf(deps, event),
    made_at: iso(clock.now()),
    counts: summed(byHour),
    hours: hoursOf(byHour),
    reasons: reasonsOf(await countReasons(db, scope, event)),
    kiosk_time: { runs: runsOf(times), median_s: quantile(times, 0.5), p90_s: quantile(times, 0.9) },
    kiosks: byKiosk(times),
    cases: {
      open: casesBy(null),
      same_person: casesBy('same_person'),
      different_people: casesBy('different_people'),
      same_person_allow: casesBy('same_person_allow'),
    },
    faces_ends: (await listFacesEnds(db, scope, event.id, MOST_ENDS)).map(toFacesEnd),
    tickets: await readTicketReport(deps, event),
  };
}

/** Each time that somebody was checked after the end adds one. */
const MOST_ENDS = 20;

const toFacesEnd = ({ id, endedAt, removed, backups, auditSeq, auditHash }: FacesEndRecord): FacesEnd => ({
  certificate_id: id,
  ended_at: iso(endedAt),
  removed,
  backups:
    backups === null || backups === 'postgres'
      ? backups && { replaced: [], by_hand: [], is_own: false }
      : {
          replaced: backups.replaced,
          by_hand: backups.byHand.map(({ file, madeAt }) => ({ file, made_at: iso(madeAt) })),
          is_own: true,
        },
  audit_seq: auditSeq,
  hash: auditHash && Buffer.from(auditHash).toString('hex'),
});

type Hour = EventReport['hours'][number];

/** From the first run to the last. */
function hoursOf(byHour: Awaited<ReturnType<typeof countByHour>>): Hour[] {
  const hours = new Map<number, Hour>();
  const rowOf = (hour: number): Hour => {
    const row = hours.get(hour) ?? { from: iso(hour * HOUR_MS), let_in: 0, turned_away: 0, in_review: 0 };
    hours.set(hour, row);
    return row;
  };
  for (const { hour, outcome, n } of byHour) {
    const row = rowOf(hour);
    if (LET_IN.includes(outcome)) row.let_in += n;
    if (outcome === 'turned_away') row.turned_away += n;
    if (outcome === 'in_review') row.in_review += n;
  }
  return everyHour([...hours.keys()]).map(rowOf);
}

/** A run refused for two reasons counts for both. */
function reasonsOf(counted: Awaited<ReturnType<typeof countReasons>>): EventReport['reasons'] {
  const counts = new Map<string, number>();
  let turnedAway = 0;
  for (const { reasons, n } of counted) {
    turnedAway += n;
    for (const reason of JSON.parse(reasons) as string[]) counts.set(reason, (counts.get(reason) ?? 0) + n);
  }
  return [...counts]
    .map(([reason, count]) => ({ reason, count, share: count / turnedAway }))
    .sort((a, b) => b.count - a.count);
}

const runsOf = (times: readonly KioskTimes[]): number => times.reduce((sum, { runs }) => sum + runs, 0);

/**
 * @param times shortest first
 * @returns seconds, to the tenth; null without runs
 */
function quantile(times: readonly KioskTimes[], part: number): number | null {
  const all = runsOf(times);
  let after = Math.min(all - 1, Math.floor(all * part));
  const found = times.find(({ runs }) => (after -= runs) < 0);
  return found === undefined ? null : found.tenths / 10;
}

function byKiosk(times: readonly KioskTimes[]): EventReport['kiosks'] {
  return [...Map.groupBy(times, ({ kioskId }) => kioskId)]
    .map(([kioskId, own]) => ({
      kiosk_id: kioskId,
      name: own[0]?.name ?? '',
      runs: runsOf(own),
      let_in: own.reduce((sum, { letIn }) => sum + letIn, 0),
      median_s: quantile(own, 0.5),
    }))
    .sort((a, b) => b.runs - a.runs);
}
