/** A source that is another system, once it is connected: what of it is read, and what it was told. */
import type { Static } from 'typebox';
import type { PretixChoice, TicketSourceRecord, UntoldList } from '../../contract/console/ticket-sources.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import type { Scope } from '../../domain/scope.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { cancelTicketsOf } from '../../store/tickets/lists.ts';
import { listUntold, tellAgain } from '../../store/tickets/queue.ts';
import { updateSource } from '../../store/tickets/sources.ts';
import { Refusal } from '../../refusals/refusal.ts';
import type { Ports } from '../ports/ports.ts';
import { iso } from '../wire/values.ts';
import type { Ask } from './ask.ts';
import { pretixConfig, readPretixChoices, rollPretix } from './pretix.ts';
import { readSource, requireSource } from './sources.ts';
import { syncSources } from './sync.ts';

type Deps = Pick<Ports, 'db' | 'clock'>;
type Of = { eventId: string; sourceId: string };

const MAX_UNTOLD = 100;

/** @throws Refusal `not_found`, `source_refused` */
export async function readChoices(
  { db, ask }: Pick<Deps, 'db'> & { ask: Ask },
  scope: Scope,
  { eventId, sourceId, event }: Of & { event: string | undefined },
) {
  const source = await requireSource(db, scope, eventId, sourceId, 'pretix');
  return readPretixChoices(ask, pretixConfig(source), event);
}

/** Other events or lists are read from the beginning; tickets of the event before admit nobody. @throws Refusal `not_found`, `source_refused` */
export async function choosePretix(
  deps: Deps & { ask: Ask },
  scope: Scope,
  { eventId, sourceId, choice, actor }: Of & { choice: Static<typeof PretixChoice>; actor: Actor },
): Promise<TicketSourceRecord> {
  const { lists } = await readChoices(deps, scope, { eventId, sourceId, event: choice.event });
  if (!lists.some(({ list }) => list === choice.list))
    throw new Refusal('source_refused', { args: { problem: 'unknown' } });
  const at = deps.clock.now();
  await deps.db.tx(async (tx) => {
    const source = await requireSource(tx, scope, eventId, sourceId, 'pretix');
    const { event, list } = pretixConfig(source);
    if (event === choice.event && list === choice.list) return;
    await updateSource(tx, scope, {
      ...source,
      config: { ...source.config, ...choice },
      state: {},
      updatedAt: at,
    });
    if (event !== choice.event) await cancelTicketsOf(tx, scope, sourceId, at);
    const details = { to: source.name, event: choice.event, list: choice.list };
    await appendAudit(tx, {
      ...scope,
      ...{ subject: eventId, at, actor, action: 'ticket_source.choose', details },
    });
  });
  return readNow(deps, scope, { eventId, sourceId });
}

/**
 * Replaces the token of the pairing, for one that others may know. If pretix's reply is lost, it has to be paired again.
 * @throws Refusal `not_found`, `source_refused`
 */
export async function rollSource(
  { db, clock, ask }: Deps & { ask: Ask },
  scope: Scope,
  { eventId, sourceId, actor }: Of & { actor: Actor },
): Promise<TicketSourceRecord> {
  const { config } = await requireSource(db, scope, eventId, sourceId, 'pretix');
  const token = await rollPretix(ask, pretixConfig({ config }));
  const at = clock.now();
  const rolled = await db.tx(async (tx) => {
    const source = await requireSource(tx, scope, eventId, sourceId, 'pretix');
    const next = { ...source, config: { ...source.config, token }, updatedAt: at };
    await updateSource(tx, scope, next);
    const entry = { subject: eventId, at, actor, action: 'ticket_source.roll' } as const;
    await appendAudit(tx, { ...scope, ...entry, details: { to: source.name } });
    return next;
  });
  return readSource(db, scope, rolled);
}

/** @throws Refusal `not_found` */
export async function readNow(
  deps: Deps & { ask: Ask },
  scope: Scope,
  { eventId, sourceId }: Of,
): Promise<TicketSourceRecord> {
  await requireSource(deps.db, scope, eventId, sourceId);
  await syncSources(deps, sourceId);
  return readSource(deps.db, scope, await requireSource(deps.db, scope, eventId, sourceId));
}

/** @throws Refusal `not_found` */
export async function readUntold(
  { db }: Pick<Deps, 'db'>,
  scope: Scope,
  { eventId, sourceId }: Of,
): Promise<Static<typeof UntoldList>> {
  await requireSource(db, scope, eventId, sourceId);
  const calls = await listUntold(db, scope, { sourceId, limit: MAX_UNTOLD });
  return {
    items: calls.map(({ status, kind, name, at, answer }) => {
      const said = JSON.parse(answer ?? '{}') as { at?: string; reason?: string };
      return {
        status: status === 'conflict' ? 'conflict' : 'refused',
        direction: kind,
        name,
        at: iso(at),
        other_at: said.at ?? null,
        reason: said.reason ?? null,
      };
    }),
  };
}

/** @throws Refusal `not_found` */
export async function tellSourceAgain(
  { db, clock }: Deps,
  scope: Scope,
  { eventId, sourceId, actor }: Of & { actor: Actor },
): Promise<TicketSourceRecord> {
  const at = clock.now();
  const source = await db.tx(async (tx) => {
    const source = await requireSource(tx, scope, eventId, sourceId);
    const count = await tellAgain(tx, scope, sourceId, at);
    const details = { to: source.name, count };
    const entry = { subject: eventId, at, actor, action: 'ticket_source.tell_again', details } as const;
    if (count > 0) await appendAudit(tx, { ...scope, ...entry });
    return source;
  });
  return readSource(db, scope, source);
}
