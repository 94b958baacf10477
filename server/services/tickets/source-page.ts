/** Tickets that a ticketing system says, a page at a time. */
import type { Scope } from '../../domain/scope.ts';
import { listSourcedAmong, putTickets } from '../../store/tickets/lists.ts';
import { isSourceSame, type TicketSource, updateSourceState } from '../../store/tickets/sources.ts';
import type { SourcedTicket } from '../../store/tickets/tickets.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { newId } from '../ports/ids.ts';
import type { HashCode } from '../../domain/tickets/code-hash.ts';

export type SaidTicket = Pick<
  SourcedTicket,
  'name' | 'kind' | 'party' | 'state' | 'validFrom' | 'validUntil' | 'rulesUnknown'
> & { code: string; externalId: string | null };

export type Page = {
  tickets: SaidTicket[];
  /** Codes that no longer count, or count again. */
  codes?: { code: string; state: 'revoked' | 'blocked' | 'valid' }[];
  /** Of the source, from which the next page is read. */
  state: Record<string, unknown>;
  isLast: boolean;
};

/** Why there is no page. */
export type NoPage = { failure: string; retryAfterMs?: number | null };

export const readObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
export const readList = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.map(readObject) : [];
const MAX_TEXT_CHARS = 500;
export const readText = (value: unknown): string =>
  // PostgreSQL stores no NUL.
  typeof value === 'string' ? value.replaceAll('\0', '').trim().slice(0, MAX_TEXT_CHARS) : '';

const COMPARED = [
  'name',
  'kind',
  'party',
  'state',
  'validFrom',
  'validUntil',
  'rulesUnknown',
  'externalId',
] as const;
/** Of a ticket of which only its code is known. */
export const NOTHING_SAID = {
  name: null,
  kind: null,
  party: null,
  validFrom: null,
  validUntil: null,
  rulesUnknown: false,
};

/**
 * Writes a page with how far it brings the source, in one transaction: a kill loses neither, and repeats no more than a page.
 * @param source as it was when the page was asked for
 * @returns false, without having written, if the source is another by now
 */
export async function applyPage(
  tx: SqlTx,
  scope: Scope,
  source: TicketSource,
  { page, hashOf, at }: { page: Page; hashOf: HashCode; at: number },
): Promise<boolean> {
  if (!(await isSourceSame(tx, scope, source))) return false;
  const of = { eventId: source.eventId, sourceId: source.id };
  const said = [
    ...page.tickets.map((ticket) => ({ ticket, hash: hashOf(ticket.code) })),
    ...(page.codes ?? []).map(({ code, state }) => ({
      ticket: { ...NOTHING_SAID, code, state, externalId: null },
      hash: hashOf(code),
    })),
  ];
  const known = await listSourcedAmong(tx, scope, of, {
    hashes: said.map(({ hash }) => hash),
    externalIds: page.tickets.flatMap(({ externalId }) => externalId ?? []),
  });
  const byHash = new Map(known.map((ticket) => [ticket.codeHash.toString(), ticket]));
  const byId = new Map(
    known.flatMap((ticket) => (ticket.externalId === null ? [] : [[ticket.externalId, ticket]])),
  );
  const changed = new Map<string, SourcedTicket>();
  for (const { ticket, hash } of said) {
    const { code, ...fields } = ticket;
    const holder = byHash.get(hash.toString());
    // A list of the event has the same code: it stays the list's.
    if (holder && holder.sourceId !== source.id) continue;
    const before = holder ?? (ticket.externalId === null ? undefined : byId.get(ticket.externalId));
    const isOfCode = ticket.externalId === null && holder !== undefined;
    if (ticket.externalId === null && ticket.state === 'valid' && holder?.state !== 'blocked') continue;
    const next: SourcedTicket = {
      ...(before ?? { id: newId(at), ...of, note: null, createdAt: at }),
      // A list of codes says nothing but whether they count. A revoked code never counts again.
      ...(isOfCode ? { ...holder, state: ticket.state } : fields),
      ...(holder?.state === 'revoked' && { state: 'revoked' as const }),
      code,
      codeHash: hash,
      updatedAt: at,
    };
    if (before && holder && COMPARED.every((field) => before[field] === next[field])) continue;
    changed.set(next.id, next);
    byHash.set(hash.toString(), next);
    if (next.externalId !== null) byId.set(next.externalId, next);
  }
  await putTickets(tx, scope, [...changed.values()]);
  await updateSourceState(tx, scope, { id: source.id, state: page.state });
  return true;
}
