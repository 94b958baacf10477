/** Where an event's tickets come from: `/console/api/events/{event_id}/ticket-sources`. */
import { Type, type Static } from 'typebox';
import { nullable, oneOf } from '../schemas.ts';
import { Version } from './common.ts';
import { CSV_ENCODINGS, CSV_SEPARATORS } from './csv.ts';

export const TICKET_SOURCE_KINDS = ['list', 'pretix', 'hi_events', 'any'] as const;
export const MAX_SOURCES = 20;
export const MAX_SOURCE_NAME_CHARS = 80;
/** Rows of a ticket list. */
export const MAX_LIST_ROWS = 200_000;
export const MAX_LIST_BYTES = 40_000_000;
/** Rows of the preview, and lines that are named with their fault. */
export const PREVIEW_ROWS = 20;
export const MAX_NAMED_FAULTS = 50;

export const LIST_FIELDS = ['code', 'name', 'last_name', 'kind', 'party', 'note', 'state'] as const;
export const LIST_FAULTS = [
  'no_code',
  'long_code',
  'long_text',
  'duplicate',
  'state_unknown',
  'long_line',
  'other_source',
] as const;

const count = Type.Integer({ minimum: 0 });

/** Why a system could not be read: at the last reading. */
export const SOURCE_FAILURES = [
  'unchosen',
  'unreachable',
  'pair_again',
  'no_rights',
  'expired',
  'failed',
] as const;

/** Of a source that is another system. */
const SourceSync = Type.Object({
  read_at: nullable('Last complete reading.'),
  failure: nullable<(typeof SOURCE_FAILURES)[number]>('Why the last reading stopped.'),
  is_chosen: Type.Boolean({ description: 'False until the event and its check-in list are chosen.' }),
  waiting: Type.Integer({ minimum: 0, description: 'Entries that it has to be told.' }),
  told: count,
  conflicts: Type.Integer({ minimum: 0, description: 'Entries with tickets that were used there, too.' }),
  refused: Type.Integer({ minimum: 0, description: 'Entries that it did not take.' }),
});

export const TicketSourceRecord = Type.Object({
  source_id: Type.String(),
  kind: oneOf(TICKET_SOURCE_KINDS),
  name: Type.String(),
  tickets: count,
  not_valid: Type.Integer({ minimum: 0, description: 'Of them, those that let nobody in by themselves.' }),
  sync: Type.Union([SourceSync, Type.Null()]),
  created_at: Type.String(),
  updated_at: Type.String({ description: 'Last import.' }),
});
export type TicketSourceRecord = Static<typeof TicketSourceRecord>;

export const TicketSourceList = Type.Object({
  items: Type.Array(TicketSourceRecord),
  keep_days: Type.Integer({
    description: 'Days after the event’s end for which names and codes are kept.',
  }),
  version: Version,
  home_url: Type.String({
    description:
      'Where guests check themselves before they come; a ticket’s own link has `#` and its code at the end.',
  }),
  is_local_only: Type.Boolean({ description: 'Other devices can’t open that address.' }),
});
export type TicketSourceList = Static<typeof TicketSourceList>;

const name = Type.String({ minLength: 1, maxLength: MAX_SOURCE_NAME_CHARS });

/** `POST /events/{event_id}/ticket-sources`. Lists are uploaded instead. */
export const TicketSourceCreate = Type.Object({
  kind: oneOf(['any', 'pretix', 'hi_events']),
  name: Type.Optional(name),
  pairing: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description: 'With `pretix`: the content of the QR code of a new device.',
    }),
  ),
  link: Type.Optional(
    Type.String({ maxLength: 500, description: 'With `hi_events`: the link of a check-in list.' }),
  ),
});
export type TicketSourceCreate = Static<typeof TicketSourceCreate>;

const slug = Type.String({ minLength: 1, maxLength: 100 });
const listId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** `GET …/{source_id}/choices`: of a paired pretix; lists are those of the event in the query. */
export const PretixChoicesQuery = { event: Type.Optional(slug) } as const;
export const PretixChoices = Type.Object({
  events: Type.Array(Type.Object({ event: Type.String(), name: Type.String() })),
  lists: Type.Array(Type.Object({ list: Type.Integer(), name: Type.String() })),
});
export const PretixChoice = Type.Object({ event: slug, list: listId });

/** `GET …/{source_id}/untold`: newest first, at most 100. */
export const UntoldList = Type.Object({
  items: Type.Array(
    Type.Object({
      status: oneOf(['conflict', 'refused']),
      direction: oneOf(['in', 'out', 'undo']),
      name: nullable('On the ticket.'),
      at: Type.String({ description: 'When the guest passed here.' }),
      other_at: nullable('When the ticket was used there.'),
      reason: nullable('Why it was refused, in the words of the system.'),
    }),
  ),
});

/** `PUT /events/{event_id}/ticket-list`; the body is the file. */
export const TicketListQuery = {
  source_id: Type.Optional(Type.String({ maxLength: 64, description: 'The list that is replaced.' })),
  name: Type.Optional(name),
  rehearse: Type.Optional(Type.Boolean({ description: 'Says what an import would do, and does nothing.' })),
  encoding: Type.Optional(oneOf(CSV_ENCODINGS)),
  separator: Type.Optional(oneOf(CSV_SEPARATORS)),
  columns: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: '^([a-z_]+:\\d{1,3}(,[a-z_]+:\\d{1,3})*)?$',
      description:
        'What each column means, from 0: `code:2,name:0`. Without it, the names of the columns tell.',
    }),
  ),
  cancel_gone: Type.Optional(
    Type.Boolean({ description: 'Cancels tickets of the list that the file no longer has.' }),
  ),
} as const;

export const TicketListImport = Type.Object({
  source: Type.Union([TicketSourceRecord, Type.Null()], { description: 'Null after a rehearsal.' }),
  encoding: oneOf(CSV_ENCODINGS),
  separator: oneOf(CSV_SEPARATORS),
  header: Type.Array(Type.String()),
  columns: Type.Array(nullable<(typeof LIST_FIELDS)[number]>(), {
    description: 'What each column of the header means; null if it is not used.',
  }),
  sample: Type.Array(Type.Array(Type.String()), { description: `The first ${PREVIEW_ROWS} rows.` }),
  added: count,
  changed: count,
  same: count,
  gone: Type.Integer({ minimum: 0, description: 'Tickets of the list that the file doesn’t have.' }),
  left_out: Type.Integer({ minimum: 0, description: 'Rows that can’t be imported.' }),
  faults: Type.Array(Type.Object({ line: count, fault: oneOf(LIST_FAULTS) }), {
    description: `The first ${MAX_NAMED_FAULTS} of them.`,
  }),
  is_of_luma: Type.Boolean({ description: 'Guests of Luma show other codes than it exports.' }),
});
export type TicketListImport = Static<typeof TicketListImport>;
