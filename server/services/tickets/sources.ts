/** Where an event's tickets come from. */
import type { Actor } from '../../domain/operators/actor.ts';
import {
  MAX_SOURCE_NAME_CHARS,
  MAX_SOURCES,
  SOURCE_FAILURES,
  type TicketSourceCreate,
  type TicketSourceList,
  type TicketSourceRecord,
} from '../../contract/console/ticket-sources.ts';
import { isLoopbackUrl } from '../../domain/address.ts';
import type { Scope } from '../../domain/scope.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';
import { countTickets, type TicketCount } from '../../store/tickets/lists.ts';
import { type CallCount, countCalls } from '../../store/tickets/queue.ts';
import { findTicketRules } from '../../store/tickets/rules.ts';
import {
  deleteSource,
  findSource,
  insertSource,
  listSources,
  type TicketSource,
} from '../../store/tickets/sources.ts';
import { notFound, Refusal } from '../../refusals/refusal.ts';
import { newId } from '../ports/ids.ts';
import type { Ports } from '../ports/ports.ts';
import { readName } from '../wire/names.ts';
import { requireEvent } from '../venue/events.ts';
import { iso } from '../wire/values.ts';
import type { Ask } from './ask.ts';
import { connectHiEvents } from './hi-events.ts';
import { pairPretix, revokePretix } from './pretix.ts';
import { rulesVersion } from './rules.ts';

type Deps = Pick<Ports, 'db' | 'clock'>;

/** With the address of the check at home. @throws Refusal `not_found` */
export async function readSourcesPage(
  { db, baseUrl }: Pick<Ports, 'db' | 'baseUrl'>,
  scope: Scope,
  eventId: string,
): Promise<TicketSourceList> {
  return {
    ...(await readSources({ db }, scope, eventId)),
    home_url: `${baseUrl()}/t/${eventId}`,
    is_local_only: isLoopbackUrl(baseUrl()),
  };
}

/** @throws Refusal `not_found` */
export async function readSources(
  { db }: Pick<Deps, 'db'>,
  scope: Scope,
  eventId: string,
): Promise<Omit<TicketSourceList, 'home_url' | 'is_local_only'>> {
  await requireEvent(db, scope, eventId);
  const counts = await countTickets(db, scope, eventId);
  const calls = await countCalls(db, scope, eventId);
  const rules = await findTicketRules(db, scope, eventId);
  return {
    items: (await listSources(db, scope, eventId)).map((source) => recordOf(source, counts, calls)),
    keep_days: rules.keepDays,
    version: rulesVersion(rules),
  };
}

export async function readSource(
  db: SqlReader,
  scope: Scope,
  source: TicketSource,
): Promise<TicketSourceRecord> {
  const { eventId } = source;
  return recordOf(source, await countTickets(db, scope, eventId), await countCalls(db, scope, eventId));
}

function recordOf(
  source: TicketSource,
  counts: readonly TicketCount[],
  calls: readonly CallCount[],
): TicketSourceRecord {
  const own = counts.filter(({ sourceId }) => sourceId === source.id);
  const sum = (of: readonly TicketCount[]) => of.reduce((total, { count }) => total + count, 0);
  return {
    source_id: source.id,
    kind: source.kind,
    name: source.name,
    tickets: sum(own),
    not_valid: sum(own.filter(({ state }) => state !== 'valid')),
    sync: syncOf(source, calls),
    created_at: iso(source.createdAt),
    updated_at: iso(source.updatedAt),
  };
}

function syncOf(
  { id, kind, config, state: { readAt, failure } }: TicketSource,
  calls: readonly CallCount[],
): TicketSourceRecord['sync'] {
  if (kind !== 'pretix' && kind !== 'hi_events') return null;
  const of = (wanted: CallCount['status']) =>
    calls.find(({ sourceId, status }) => sourceId === id && status === wanted)?.count ?? 0;
  return {
    read_at: typeof readAt === 'number' ? iso(readAt) : null,
    failure: SOURCE_FAILURES.find((known) => known === failure) ?? null,
    is_chosen: kind === 'hi_events' || config['list'] !== undefined,
    waiting: of('waiting'),
    told: of('told'),
    conflicts: of('conflict'),
    refused: of('refused'),
  };
}

/** @throws Refusal `not_found`, `invalid_name`, `name_unseen`, `too_many_sources`, `source_refused` */
export async function createSource(
  deps: Deps & { ask: Ask },
  scope: Scope,
  { eventId, request, actor }: { eventId: string; request: TicketSourceCreate; actor: Actor },
): Promise<TicketSourceRecord> {
  await requireEvent(deps.db, scope, eventId);
  const { kind, pairing = '', link = '' } = request;
  const found =
    kind === 'pretix'
      ? await pairPretix(deps.ask, pairing)
      : kind === 'hi_events'
        ? await connectHiEvents(deps.ask, link)
        : { config: {}, name: '' };
  // The other system names itself at any length.
  const name = request.name ?? found.name.slice(0, MAX_SOURCE_NAME_CHARS);
  const source = await deps.db.tx((tx) =>
    addSource(tx, scope, { eventId, kind, name, config: found.config }, { at: deps.clock.now(), actor }),
  );
  return readSource(deps.db, scope, source);
}

/** The part of a transaction that adds a source. @throws as `createSource` */
export async function addSource(
  tx: SqlTx,
  scope: Scope,
  { eventId, kind, name: given, config }: Pick<TicketSource, 'eventId' | 'kind' | 'name' | 'config'>,
  { at, actor }: { at: number; actor: Actor },
): Promise<TicketSource> {
  await requireEvent(tx, scope, eventId);
  const name = readName(given);
  if (name === '') throw new Refusal('invalid_name');
  if ((await listSources(tx, scope, eventId)).length >= MAX_SOURCES)
    throw new Refusal('too_many_sources', { args: { max: MAX_SOURCES } });
  const times = { createdAt: at, updatedAt: at };
  const source: TicketSource = { id: newId(at), eventId, kind, name, config, state: {}, ...times };
  await insertSource(tx, scope, source);
  const details = { to: name, kind };
  await appendAudit(tx, { ...scope, subject: eventId, at, actor, action: 'ticket_source.add', details });
  return source;
}

/** With its tickets, and what it still had to be told. Who entered stays counted. @throws Refusal `not_found` */
export async function removeSource(
  { db, clock, ask }: Deps & { ask: Ask },
  scope: Scope,
  { eventId, sourceId, reason, actor }: { eventId: string; sourceId: string; reason: string; actor: Actor },
): Promise<void> {
  const removed = await db.tx(async (tx) => {
    const source = await requireSource(tx, scope, eventId, sourceId);
    const { name } = source;
    await deleteSource(tx, scope, sourceId);
    const action = 'ticket_source.remove';
    const details = { to: name, reason };
    await appendAudit(tx, { ...scope, subject: eventId, at: clock.now(), actor, action, details });
    return source;
  });
  if (removed.kind === 'pretix') await revokePretix(ask, removed);
}

export async function requireSource(
  db: SqlReader,
  scope: Scope,
  eventId: string,
  sourceId: string,
  kind?: TicketSource['kind'],
): Promise<TicketSource> {
  const source = await findSource(db, scope, sourceId);
  if (source?.eventId !== eventId || (kind !== undefined && source.kind !== kind)) throw notFound();
  return source;
}
