/** Where an event's tickets come from. */
import type { SourceKind } from '../../domain/tickets/ticket.ts';
import type { Scope } from '../../domain/scope.ts';
import { fromJson, inScope, insertRow, ofScope, placesFor, toJson, updateRow } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

export type TicketSource = {
  id: string;
  eventId: string;
  kind: SourceKind;
  name: string;
  /** Addresses and tokens; by kind. */
  config: Record<string, unknown>;
  /** How far the source has been read, and its last failure; by kind, without secrets. */
  state: Record<string, unknown>;
  createdAt: number;
  updatedAt: number;
};

type Row = Omit<TicketSource, 'config' | 'state'> & { config: string; state: string };

const SELECT = `SELECT id, event_id AS eventId, kind, name, config, state, created_at AS createdAt, updated_at AS updatedAt
  FROM ticket_sources WHERE company_id = ? AND partition = ?`;

const opened = (db: SqlReader, row: Row): TicketSource => ({
  ...row,
  config: fromJson(db.secrets.open('ticket_sources.config', [row.id], row.config)),
  state: fromJson(row.state),
});

/** What can be changed. */
const columnsOf = ({ secrets }: SqlTx, source: TicketSource) => ({
  name: source.name,
  config: secrets.seal('ticket_sources.config', [source.id], toJson(source.config)),
  state: toJson(source.state),
  updated_at: source.updatedAt,
});

export async function insertSource(tx: SqlTx, scope: Scope, source: TicketSource): Promise<void> {
  await insertRow(tx, 'ticket_sources', {
    id: source.id,
    ...inScope(scope),
    event_id: source.eventId,
    kind: source.kind,
    ...columnsOf(tx, source),
    created_at: source.createdAt,
  });
}

/** Its name, configuration and state. */
export function updateSource(tx: SqlTx, scope: Scope, source: TicketSource): Promise<number> {
  return updateRow(tx, 'ticket_sources', { ...inScope(scope), id: source.id }, columnsOf(tx, source));
}

export async function findSource(db: SqlReader, scope: Scope, id: string): Promise<TicketSource | undefined> {
  const row = await db.one<Row>(`${SELECT} AND id = ?`, ...ofScope(scope), id);
  return row && opened(db, row);
}

/** Oldest first. An event has a handful (`MAX_SOURCES`). */
export async function listSources(db: SqlReader, scope: Scope, eventId: string): Promise<TicketSource[]> {
  const rows = await db.all<Row>(
    `${SELECT} AND event_id = ? ORDER BY created_at, id`,
    ...ofScope(scope),
    eventId,
  );
  return rows.map((row) => opened(db, row));
}

export async function hasSources(db: SqlReader, scope: Scope, eventId: string): Promise<boolean> {
  const row = await db.one(
    'SELECT 1 FROM ticket_sources WHERE company_id = ? AND partition = ? AND event_id = ? LIMIT 1',
    ...ofScope(scope),
    eventId,
  );
  return row !== undefined;
}

/** The events of the scope with a source of one of these kinds. */
export async function listEventsWithSource(
  db: SqlReader,
  scope: Scope,
  kinds: readonly SourceKind[],
): Promise<ReadonlySet<string>> {
  const rows = await db.all<{ eventId: string }>(
    `SELECT DISTINCT event_id AS eventId FROM ticket_sources
     WHERE company_id = ? AND partition = ? AND kind IN (${placesFor(kinds)})`,
    ...ofScope(scope),
    ...kinds,
  );
  return new Set(rows.map(({ eventId }) => eventId));
}

/** With its tickets; entries stay. */
export function deleteSource(tx: SqlTx, scope: Scope, id: string): Promise<number> {
  return tx.run(
    'DELETE FROM ticket_sources WHERE company_id = ? AND partition = ? AND id = ?',
    ...ofScope(scope),
    id,
  );
}

/** Whether nobody has removed, chosen again or read the source since it was read from here. */
export async function isSourceSame(
  tx: SqlTx,
  scope: Scope,
  { id, config, state }: Pick<TicketSource, 'id' | 'config' | 'state'>,
): Promise<boolean> {
  const now = await findSource(tx, scope, id);
  return now !== undefined && toJson([now.config, now.state]) === toJson([config, state]);
}

/** How far it was read, which its page shows. */
export function updateSourceState(
  tx: SqlTx,
  scope: Scope,
  { id, state }: Pick<TicketSource, 'id' | 'state'>,
): Promise<number> {
  tx.afterCommit('venue', scope.companyId);
  return updateRow(tx, 'ticket_sources', { ...inScope(scope), id }, { state: toJson(state) });
}

export type SyncedSource = TicketSource & { scope: Scope; startsAt: number; endsAt: number };

/** Of events that have not ended before `endsAfter`, of every company. */
export async function listSyncedSources(db: SqlReader, endsAfter: number): Promise<SyncedSource[]> {
  const rows = await db.all<Row & Scope & { startsAt: number; endsAt: number }>(
    `SELECT s.id, s.event_id AS eventId, s.kind, s.name, s.config, s.state, s.created_at AS createdAt,
       s.updated_at AS updatedAt, s.company_id AS companyId, s.partition, e.starts_at AS startsAt, e.ends_at AS endsAt
     FROM ticket_sources s JOIN events e ON e.id = s.event_id
     WHERE s.kind IN ('pretix', 'hi_events') AND e.ends_at > ? ORDER BY s.id`,
    endsAfter,
  );
  return rows.map(({ companyId, partition, startsAt, endsAt, ...row }) => ({
    ...opened(db, row),
    ...{ scope: { companyId, partition }, startsAt, endsAt },
  }));
}
