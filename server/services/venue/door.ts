/** The view of staff at the door. Actions on a stuck run are in `../runs/stuck-sessions.ts`. */
import { isAtLeast, type Role } from '../../contract/console/common.ts';
import type {
  DoorAction,
  DoorCodes,
  DoorOpenRun,
  DoorResult,
  DoorRun,
  DoorView,
} from '../../contract/console/door.ts';
import { hasPassedBefore, isFinalDenial } from '../../domain/passes/pass.ts';
import { displayName, type SearchableMetadata } from '../../domain/people/search.ts';
import { maskNumber } from '../../domain/phone/code.ts';
import { isChecking } from '../../domain/runs/progress.ts';
import type { Scope } from '../../domain/scope.ts';
import { listEventsAt, type VenueEvent } from '../../store/venue/events.ts';
import { listReadableCodes } from '../../store/phone/codes.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import {
  type Chosen,
  type EndedRun,
  findEarlierPass,
  findPassPlace,
  listEndedRuns,
  listOpenRuns,
  type OpenRun,
  type RunGuest,
} from '../../store/venue/door-runs.ts';
import { listTicketsOfRuns } from '../../store/tickets/entries.ts';
import { countOpenCases } from '../../store/venue/run-counts.ts';
import type { Ports } from '../ports/ports.ts';
import { findCompany } from '../../store/companies/companies.ts';
import { countSettledOn, latestMeteredDay } from '../../store/usage/usage.ts';
import { meteringDay } from '../../domain/days.ts';
import { dayEnd } from '../../domain/usage/forecast.ts';
import type { KioskRecord } from '../../contract/console/kiosks.ts';
import { readLetIn } from '../passes/let-in.ts';
import { iso } from '../wire/values.ts';
import { recordOf, requireEvent } from './events.ts';
import { readKiosks } from './kiosks.ts';
import { letIn, readCounts } from './report.ts';

const HOUR_MS = 3_600_000;
const LATEST = 30;
const UNDER_WAY = 30;
/** A page that has been open for longer no longer counts as a run in progress. */
const UNDER_WAY_SINCE_MS = 12 * HOUR_MS;
/** Without an event, the numbers are those of the last day. */
const DAY_MS = 24 * HOUR_MS;

type Deps = Pick<Ports, 'db' | 'clock'>;

/**
 * @param reader whose role decides which actions are offered
 * @throws Refusal `not_found` for a given event that does not exist
 */
export async function readDoor(
  deps: Deps,
  scope: Scope,
  { eventId, role }: { eventId?: string | undefined; role: Role },
): Promise<DoorView> {
  const { db, clock } = deps;
  const now = clock.now();
  const running = await listEventsAt(db, scope, now);
  const event = eventId === undefined ? (running[0] ?? null) : await requireEvent(db, scope, eventId);
  const chosen: Chosen = { scope, event };
  const end = now + DAY_MS;
  const open = await listOpenRuns(db, chosen, {
    sinceMs: now - UNDER_WAY_SINCE_MS,
    nowMs: now,
    limit: UNDER_WAY,
  });
  const kiosks = await readKiosks(deps, scope.companyId);
  const cap = await readCap(db, scope, now);
  const ended = await listEndedRuns(db, chosen, LATEST);
  const reader: Reader = {
    role,
    isCapReached: cap.is_reached,
    letIn: await readLetIn(
      db,
      scope,
      ended.map(({ outcome, passId }) => (outcome === 'flagged' ? passId : null)),
    ),
  };
  const tickets = await listTicketsOfRuns(
    db,
    scope,
    [...ended, ...open].map(({ sessionId }) => sessionId),
  );
  const lastHour = await readCounts(db, { ...chosen, fromMs: now - HOUR_MS, toMs: end });
  return {
    event: event === null ? null : await recordOf(deps, event),
    running: running.map(({ id, name }) => ({ event_id: id, name })),
    counts: await readCounts(db, { ...chosen, fromMs: sinceOf(event, now), toMs: end }),
    last_hour: letIn(lastHour),
    open_cases: await countOpenCases(db, scope),
    latest: await Promise.all(ended.map((run) => toRun(db, scope, run, { ...reader, tickets }))),
    cap,
    under_way: open.map((run) => toOpenRun(run, { now, kiosks, role, tickets })),
    kiosks,
  };
}

async function readCap(db: SqlReader, scope: Scope, now: number): Promise<DoorView['cap']> {
  const limit = (await findCompany(db, scope.companyId))?.dailyLimit ?? 0;
  const day = meteringDay(now, await latestMeteredDay(db, scope));
  const isReached = (await countSettledOn(db, scope, day)) >= limit;
  return { is_reached: isReached, daily_limit: limit, ends_at: iso(dayEnd(now)) };
}

const sinceOf = (event: VenueEvent | null, now: number): number => (event === null ? now - DAY_MS : 0);

type Reader = { role: Role; isCapReached: boolean; letIn: Awaited<ReturnType<typeof readLetIn>> };

async function toRun(
  db: SqlReader,
  scope: Scope,
  run: EndedRun,
  { tickets, ...reader }: Reader & { tickets: Tickets },
): Promise<DoorRun> {
  const reasons = run.reasons === null ? [] : (JSON.parse(run.reasons) as string[]);
  const result = resultOf(run, reasons);
  const earlier =
    result === 'already' || result === 'passed_again' ? await earlierPass(db, scope, run) : undefined;
  return {
    session_id: run.sessionId,
    at: iso(run.settledAt),
    result,
    reasons,
    guest: guestOf(run, tickets),
    kiosk_name: run.kioskName,
    device: run.device,
    let_in: reader.letIn.get(run.passId ?? '') ?? null,
    earlier: earlier === undefined ? null : { at: iso(earlier.settledAt), kiosk_name: earlier.kioskName },
    case_id: run.isCaseOpen === 1 ? run.caseId : null,
    actions: actionsFor(run, { result, reasons, ...reader }),
  };
}

/** A reviewer decides about one run once. Another check would find the same earlier pass again. */
function actionsFor(
  { generation, earlierPassId, caseId }: EndedRun,
  { result, reasons, role, isCapReached }: { result: DoorResult; reasons: readonly string[] } & Reader,
): DoorAction[] {
  const isDenied = DENIED.includes(result) && earlierPassId === null && !isFinalDenial(reasons);
  const actions: DoorAction[] = [];
  if (isDenied && isAtLeast(role, 'reviewer')) actions.push('let_in');
  if (isDenied && caseId === null) actions.push('review');
  // The cap would refuse another check, too.
  const isFutile = isCapReached && reasons.includes('usage_cap_exceeded');
  if (generation === 'v3' && REPEATABLE.includes(result) && !isFutile) actions.push('again');
  return actions;
}

const DENIED: readonly DoorResult[] = ['already', 'turned_away', 'declined'];
const REPEATABLE: readonly DoorResult[] = ['turned_away', 'declined', 'unfinished'];

function resultOf({ outcome }: EndedRun, reasons: readonly string[]): DoorResult {
  if (outcome === 'in_review') return 'ask';
  if (outcome !== 'turned_away') return outcome;
  return hasPassedBefore(reasons) ? 'already' : 'turned_away';
}

function earlierPass(db: SqlReader, scope: Scope, run: EndedRun) {
  if (run.earlierPassId !== null) return findPassPlace(db, scope, run.earlierPassId);
  const { personId, verificationId, group, settledAt: beforeMs } = run;
  if (personId === null) return undefined;
  return findEarlierPass(db, scope, { personId, verificationId, group, beforeMs });
}

type Tickets = Awaited<ReturnType<typeof listTicketsOfRuns>>;
type Seen = { now: number; kiosks: readonly KioskRecord[]; role: Role; tickets: Tickets };

function toOpenRun(run: OpenRun, { now, kiosks, role, tickets }: Seen): DoorOpenRun {
  const asks = kiosks.some(
    ({ session_id, screen, state }) =>
      session_id === run.sessionId && screen === 'ask_staff' && state === 'online',
  );
  return {
    asks_staff: asks,
    actions: asks && isAtLeast(role, 'reviewer') ? ['let_in'] : [],
    session_id: run.sessionId,
    opened_at: iso(run.openedAt),
    step: stepOf(run, now),
    attempts_left: run.attemptsLeft,
    guest: guestOf(run, tickets),
    kiosk_name: run.kioskName,
    device: run.device,
  };
}

/** The name that the organiser sent, else what the guest's ticket says, else the organiser's ID of the guest. */
function guestOf(
  { sessionId, metadata, externalId }: RunGuest & { sessionId: string },
  tickets: Tickets,
): string | null {
  const sent = metadata === null ? {} : (JSON.parse(metadata) as SearchableMetadata);
  const { name = null, kind = null } = tickets.get(sessionId) ?? {};
  const ticket = [name, kind].filter((part) => part !== null).join(' · ');
  return displayName(sent) ?? (ticket === '' ? externalId : ticket);
}

function stepOf(run: OpenRun, now: number): DoorOpenRun['step'] {
  if (isChecking(run, now)) return 'checking';
  if (run.consentAt === null) return 'consent';
  return run.waitsForCode === 1 ? 'phone' : 'capture';
}

/**
 * Codes that are waiting to be read out; used and expired ones are left out, and those of the other partition.
 * @param reader a limited one sees no code for a person's own page, which opens their data in every company
 */
export async function readCodes(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  scope: Scope,
  { isLimited }: { isLimited: boolean },
): Promise<DoorCodes['items']> {
  const codes = await listReadableCodes(db, scope.companyId, { nowMs: clock.now(), ownPages: !isLimited });
  return codes.flatMap(({ id, number, code, sentAt, expiresAt, partition }) =>
    code === null || (partition !== null && partition !== scope.partition)
      ? []
      : [{ code_id: id, number: maskNumber(number), code, sent_at: iso(sentAt), ends_at: iso(expiresAt) }],
  );
}
