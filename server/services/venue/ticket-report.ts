/** What an event's report says about its tickets. */
import type { TicketReport } from '../../contract/console/ticket-report.ts';
import { everyHour, HOUR_MS } from '../../domain/hours.ts';
import { countTickets } from '../../store/tickets/lists.ts';
import {
  countByGateAndHour,
  countCodesWithoutFace,
  countFacesWithoutCode,
  countGuests,
  countRefusals,
} from '../../store/tickets/report.ts';
import { hasSources } from '../../store/tickets/sources.ts';
import type { VenueEvent } from '../../store/venue/events.ts';
import type { Ports } from '../ports/ports.ts';
import { iso } from '../wire/values.ts';

type Passages = { entered: number; left: number; refused: number };
type Counted = Passages & { gate: string; gateName: string; hour: number };

/** Null without a source, unless somebody entered with one that is gone. */
export async function readTicketReport(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  event: VenueEvent,
): Promise<TicketReport | null> {
  const { scope, id } = event;
  const passed = await countByGateAndHour(db, scope, id);
  const refused = await countRefusals(db, scope, id);
  if (passed.length + refused.length === 0 && !(await hasSources(db, scope, id))) return null;
  const counted: Counted[] = [
    ...passed.map((row) => ({ ...row, refused: 0 })),
    ...refused.map(({ scans, ...row }) => ({ ...row, entered: 0, left: 0, refused: scans })),
  ];
  const { entered, left } = summed(counted);
  const states = await countTickets(db, scope, id);
  const ticketsOf = (isValid: boolean) =>
    states.reduce((sum, { state, count }) => sum + ((state === 'valid') === isValid ? count : 0), 0);
  return {
    ...{ sold: ticketsOf(true), not_valid: ticketsOf(false), entered, left, inside: entered - left },
    people: await countGuests(db, scope, id),
    codes_without_face: await countCodesWithoutFace(db, scope, id),
    faces_without_code: await countFacesWithoutCode(db, scope, event),
    refusals: [...Map.groupBy(refused, ({ reason }) => reason)]
      .map(([reason, rows]) => ({ reason, count: rows.reduce((sum, { scans }) => sum + scans, 0) }))
      .sort((a, b) => b.count - a.count || a.reason.localeCompare(b.reason)),
    gates: [...Map.groupBy(counted, ({ gate }) => gate)]
      .map(([gate, rows]) => ({ gate, name: rows[0]?.gateName ?? '', ...summed(rows) }))
      .sort((a, b) => a.name.localeCompare(b.name) || a.gate.localeCompare(b.gate)),
    hours: hoursOf(counted, event, clock.now()),
    gate_hours: [...Map.groupBy(counted, ({ hour, gate }) => `${hour} ${gate}`)].flatMap(([, rows]) =>
      rows.slice(0, 1).map(({ hour, gate }) => ({ from: iso(hour * HOUR_MS), gate, ...summed(rows) })),
    ),
  };
}

const summed = (rows: readonly Passages[]): Passages => ({
  entered: rows.reduce((sum, row) => sum + row.entered, 0),
  left: rows.reduce((sum, row) => sum + row.left, 0),
  refused: rows.reduce((sum, row) => sum + row.refused, 0),
});

/** Of the event until now, and of those who came before its start or after its end. */
function hoursOf(
  counted: readonly Counted[],
  { startsAt, endsAt }: VenueEvent,
  nowMs: number,
): TicketReport['hours'] {
  const byHour = Map.groupBy(counted, ({ hour }) => hour);
  const span = nowMs < startsAt ? [] : [startsAt, Math.min(endsAt - 1, nowMs)];
  return everyHour([...byHour.keys()], ...span.map((at) => Math.floor(at / HOUR_MS))).map((hour) => ({
    from: iso(hour * HOUR_MS),
    ...summed(byHour.get(hour) ?? []),
  }));
}
