import { messagesOf } from '../../../locales/node.ts';
import type { TicketReport } from '../../contract/console/ticket-report.ts';
import type { EventReport } from '../../contract/console/events.ts';
import type { Language } from '../../contract/languages.ts';
import { csvHead, csvLine } from '../../domain/csv.ts';

type Row = [section: string, of: string, name: string, value: string | number, field: string];

/**
 * The report as one table, which a spreadsheet can filter. The words are those of the report's page; `field` is the name in the
 * contract. Times are ISO 8601, UTC.
 */
export function reportCsv(report: EventReport, language: Language): string {
  const { event, counts, hours, reasons, kiosk_time: time, kiosks, cases, tickets } = report;
  const words = messagesOf('events', language);
  const { event: ofEvent } = messagesOf('door', language);
  const { names, counts: labels, reasons: reasonNames, decisions } = messagesOf('outcomes', language);
  const reasonOf: Readonly<Record<string, string>> = reasonNames;
  const about = (name: string, value: string, field: string): Row => [ofEvent, '', name, value, field];
  const total = (name: string, value: string | number, field: string): Row => [
    words.counts.label,
    '',
    name,
    value,
    field,
  ];
  const rows: Row[] = [
    about(words.name, event.name, 'event.name'),
    about(words.starts, event.starts_at, 'event.starts_at'),
    about(words.ends, event.ends_at, 'event.ends_at'),
    about(words.csvMadeAt, report.made_at, 'made_at'),
    total(words.count, counts.ended, 'counts.ended'),
    total(names.approved, counts.passed, 'counts.passed'),
    total(names.again, counts.passed_again, 'counts.passed_again'),
    total(names.flagged, counts.flagged, 'counts.flagged'),
    total(labels.turnedAway, counts.turned_away, 'counts.turned_away'),
    total(names.declined, counts.declined, 'counts.declined'),
    total(names.in_review, counts.in_review, 'counts.in_review'),
    total(names.unfinished, counts.unfinished, 'counts.unfinished'),
    total(words.table.runs, time.runs, 'kiosk_time.runs'),
    total(`${words.counts.median} (s)`, time.median_s ?? '', 'kiosk_time.median_s'),
    total(`${words.table.ninth} (s)`, time.p90_s ?? '', 'kiosk_time.p90_s'),
    ...hours.flatMap((hour): Row[] => [
      [words.hours, hour.from, labels.letIn, hour.let_in, 'hours.let_in'],
      [words.hours, hour.from, labels.turnedAway, hour.turned_away, 'hours.turned_away'],
      [words.hours, hour.from, names.in_review, hour.in_review, 'hours.in_review'],
    ]),
    ...reasons.map(({ reason, count }): Row => [
      words.reasons,
      '',
      reasonOf[reason] ?? reason,
      count,
      `reasons.${reason}`,
    ]),
    ...kiosks.flatMap((kiosk): Row[] => [
      [words.perKiosk, kiosk.name, words.runs, kiosk.runs, 'kiosks.runs'],
      [words.perKiosk, kiosk.name, labels.letIn, kiosk.let_in, 'kiosks.let_in'],
      [words.perKiosk, kiosk.name, `${words.medianTime} (s)`, kiosk.median_s ?? '', 'kiosks.median_s'],
    ]),
    [words.cases, '', words.waiting, cases.open, 'cases.open'],
    ...(['different_people', 'same_person_allow', 'same_person'] as const).map((name): Row => [
      words.cases,
      '',
      decisions[name],
      cases[name],
      `cases.${name}`,
    ]),
    ...(tickets === null ? [] : ticketRows(tickets, language)),
  ];
  const { section, of, value } = words.table;
  return [csvHead([section, of, words.name, value, 'field']), ...rows.map(csvLine)].join('');
}

const TICKET_TOTALS = [
  'sold',
  'not_valid',
  'entered',
  'left',
  'inside',
  'people',
  'codes_without_face',
  'faces_without_code',
] as const;
const PASSAGES = ['entered', 'left', 'refused'] as const;

function ticketRows(tickets: TicketReport, language: Language): Row[] {
  const words = messagesOf('ticket-report', language);
  const whyOf: Readonly<Record<string, string>> = words.why;
  const gateOf = new Map(tickets.gates.map(({ gate, name }) => [gate, name]));
  const passages = (
    section: string,
    of: string,
    counted: Readonly<Record<(typeof PASSAGES)[number], number>>,
    field: string,
  ) => PASSAGES.map((name): Row => [section, of, words[name], counted[name], `${field}.${name}`]);
  return [
    ...TICKET_TOTALS.map((name): Row => [words.title, '', words[name], tickets[name], `tickets.${name}`]),
    ...tickets.refusals.map(({ reason, count }): Row => [
      words.refusals,
      '',
      whyOf[reason] ?? reason,
      count,
      `tickets.refusals.${reason}`,
    ]),
    ...tickets.gates.flatMap((gate) => passages(words.perGate, gate.name, gate, 'tickets.gates')),
    ...tickets.hours.flatMap((hour) => passages(words.hours, hour.from, hour, 'tickets.hours')),
    ...tickets.gate_hours.flatMap((hour) =>
      passages(words.gateHours, `${hour.from} ${gateOf.get(hour.gate) ?? ''}`, hour, 'tickets.gate_hours'),
    ),
  ];
}
