/** A ticket list from a CSV file: rehearsed first, then imported in one transaction. The same file again changes nothing. */
import type { Actor } from '../../domain/operators/actor.ts';
import {
  LIST_FIELDS,
  MAX_LIST_ROWS,
  MAX_NAMED_FAULTS,
  PREVIEW_ROWS,
  type TicketListImport,
} from '../../contract/console/ticket-sources.ts';
import type { CsvEncoding, CsvSeparator } from '../../contract/console/csv.ts';
import type { Scope } from '../../domain/scope.ts';
import {
  guessColumns,
  isOfLuma,
  type ListColumns,
  type ListFault,
  ticketsOfRows,
} from '../../domain/tickets/list-columns.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { listSourced, putTickets } from '../../store/tickets/lists.ts';
import { type TicketSource, updateSource } from '../../store/tickets/sources.ts';
import type { SourcedTicket } from '../../store/tickets/tickets.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { newId } from '../ports/ids.ts';
import type { Ports } from '../ports/ports.ts';
import { type CsvTable, readCsv } from '../wire/csv.ts';
import { ticketHasher } from './codes.ts';
import { requireEvent } from '../venue/events.ts';
import { addSource, readSource, requireSource } from './sources.ts';

export type ListUpload = {
  eventId: string;
  bytes: Uint8Array;
  /** Null for a new list. */
  sourceId: string | null;
  /** Of a new list, or the list's new name. */
  name: string | null;
  encoding?: CsvEncoding;
  separator?: CsvSeparator;
  /** As in the query: `code:2,name:0`. Null to tell by the names of the columns. */
  columns: string | null;
  /** Whether tickets that the file no longer has are cancelled. */
  cancelsGone: boolean;
  isRehearsal: boolean;
  actor: Actor;
};

type Draft = Omit<SourcedTicket, 'id' | 'sourceId' | 'createdAt' | 'updatedAt'> & { line: number };
type Fault = { line: number; fault: ListFault };

/** @throws Refusal `csv_refused`, `list_without_codes`, `not_found`, `too_many_sources`, `invalid_name`, `name_unseen` */
export async function importList(
  deps: Pick<Ports, 'db' | 'clock'>,
  scope: Scope,
  { eventId, bytes, ...upload }: ListUpload,
): Promise<TicketListImport> {
  const { db, clock } = deps;
  await requireEvent(db, scope, eventId);
  const table = await readCsv(bytes, { ...upload, maxRows: MAX_LIST_ROWS });
  const columns = upload.columns === null ? guessColumns(table.header) : readColumns(upload.columns, table);
  const read = columns.code === undefined ? { tickets: [], faults: [] } : ticketsOfRows(table.rows, columns);
  const hashOf = await ticketHasher(deps);
  const drafts = read.tickets.map(({ code, ...ticket }): Draft => ({
    ...ticket,
    ...{ eventId, codeHash: hashOf(code), code: null, externalId: null },
    ...{ validFrom: null, validUntil: null, rulesUnknown: false },
  }));
  const faults = [...table.longLines.map((line): Fault => ({ line, fault: 'long_line' })), ...read.faults];
  const reply = (compared: Comparison, source: TicketListImport['source']): TicketListImport => {
    const all = [...faults, ...compared.faults].sort((a, b) => a.line - b.line);
    return {
      source,
      encoding: table.encoding,
      separator: table.separator,
      header: table.header,
      columns: table.header.map((_, at) => LIST_FIELDS.find((field) => columns[field] === at) ?? null),
      sample: table.rows.slice(0, PREVIEW_ROWS).map(({ cells }) => cells),
      added: compared.added.length,
      changed: compared.changed.length,
      same: compared.same,
      gone: compared.gone.length,
      left_out: all.length,
      faults: all.slice(0, MAX_NAMED_FAULTS),
      is_of_luma: isOfLuma(read.tickets),
    };
  };
  if (upload.isRehearsal) {
    if (upload.sourceId !== null) await requireSource(db, scope, eventId, upload.sourceId, 'list');
    return reply(compare(await listSourced(db, scope, eventId), drafts, upload.sourceId), null);
  }
  if (columns.code === undefined) throw new Refusal('list_without_codes');
  const at = clock.now();
  const { compared, source } = await db.tx(async (tx) => {
    const known = await listOf(upload.sourceId);
    const compared = compare(await listSourced(tx, scope, eventId), drafts, known.id);
    const gone = upload.cancelsGone
      ? compared.gone.map((ticket): SourcedTicket => ({ ...ticket, state: 'cancelled', updatedAt: at }))
      : [];
    const added = compared.added.map((draft): SourcedTicket => ({
      ...draft,
      ...{ id: newId(at), sourceId: known.id, createdAt: at, updatedAt: at },
    }));
    const changed = compared.changed.map((ticket) => ({ ...ticket, updatedAt: at }));
    await putTickets(tx, scope, [...added, ...changed, ...gone]);
    const source = { ...known, updatedAt: at };
    await updateSource(tx, scope, source);
    const count = added.length + changed.length;
    const details = { to: source.name, count, cancelled: gone.length };
    await appendAudit(tx, {
      ...scope,
      ...{ subject: eventId, at, actor: upload.actor, action: 'ticket_source.import', details },
    });
    return { compared, source };

    async function listOf(id: string | null): Promise<TicketSource> {
      if (id !== null) return requireSource(tx, scope, eventId, id, 'list');
      const list = { eventId, kind: 'list' as const, name: upload.name ?? '', config: {} };
      return addSource(tx, scope, list, { at, actor: upload.actor });
    }
  });
  return reply(compared, await readSource(db, scope, source));
}

type Comparison = {
  added: Draft[];
  changed: SourcedTicket[];
  same: number;
  gone: SourcedTicket[];
  faults: Fault[];
};

const COMPARED = ['name', 'kind', 'party', 'note', 'state'] as const;

/** What the file says beside what is known. Guests who came keep their tickets. */
function compare(
  known: readonly SourcedTicket[],
  drafts: readonly Draft[],
  sourceId: string | null,
): Comparison {
  const byCode = new Map(known.map((ticket) => [hex(ticket), ticket]));
  const result: Comparison = { added: [], changed: [], same: 0, gone: [], faults: [] };
  const kept = new Set<string>();
  for (const draft of drafts) {
    const before = byCode.get(hex(draft));
    if (!before) result.added.push(draft);
    else if (before.sourceId !== sourceId) result.faults.push({ line: draft.line, fault: 'other_source' });
    else {
      kept.add(before.id);
      if (COMPARED.every((field) => before[field] === draft[field])) result.same += 1;
      else result.changed.push({ ...before, ...draft });
    }
  }
  result.gone = known.filter(
    (ticket) => ticket.sourceId === sourceId && ticket.state !== 'cancelled' && !kept.has(ticket.id),
  );
  return result;
}

const hex = ({ codeHash }: Pick<SourcedTicket, 'codeHash'>): string =>
  Buffer.from(codeHash).toString('base64');

function readColumns(text: string, { header }: CsvTable): ListColumns {
  const columns: ListColumns = {};
  for (const part of text.split(',')) {
    const [field, number] = part.split(':');
    const known = LIST_FIELDS.find((name) => name === field);
    if (known !== undefined && Number(number) < header.length) columns[known] = Number(number);
  }
  return columns;
}
