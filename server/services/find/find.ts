/** Records of every kind for the console's command palette. */
import { isAtLeast, type Role } from '../../contract/console/common.ts';
import type { Found, FoundRecords } from '../../contract/routes/console/find.ts';
import { keyActor } from '../../domain/operators/actor.ts';
import { foldText } from '../../domain/people/search.ts';
import type { Scope } from '../../domain/scope.ts';
import { findRequest } from '../../store/keys/request-log.ts';
import { listEvents } from '../../store/venue/events.ts';
import type { Ports } from '../ports/ports.ts';
import { listKeyPairs } from '../keys/manage.ts';
import { listSessionItems } from '../passes/list.ts';
import { listPersonItems } from '../people/people.ts';
import { iso } from '../wire/values.ts';

const MOST_OF_A_KIND = 4;
const REQUEST_ID = /^req_[\da-f]{32}$/;
/** The latest events and keys are searched in memory: a company has few. */
const SEARCHED = 100;

type Deps = Pick<Ports, 'db' | 'clock'>;

/** At most four of each kind, and only kinds whose page the role may open. */
export async function findRecords(
  deps: Deps,
  scope: Scope,
  { q, role }: { q: string; role: Role },
): Promise<FoundRecords> {
  if (REQUEST_ID.test(q.trim())) return { items: await findCall(deps, scope, q.trim(), role) };
  const found = await Promise.all([
    isAtLeast(role, 'reviewer') ? findPeople(deps, scope, q) : [],
    findSessions(deps, scope, q, role),
    findEvents(deps, scope, q),
    isAtLeast(role, 'admin') ? findKeys(deps, scope, q) : [],
  ]);
  return { items: found.flat() };
}

/** The session that the call was about, and for admins what its key did that day. */
async function findCall({ db }: Deps, scope: Scope, id: string, role: Role): Promise<Found[]> {
  const call = await findRequest(db, scope, id);
  if (!call) return [];
  const title = `${call.operation} · ${call.status}`;
  const detail = iso(call.at);
  const found: Found[] = [];
  if (call.sessionId !== null) found.push({ kind: 'session', id: call.sessionId, title, detail });
  if (call.keyId !== null && isAtLeast(role, 'admin'))
    found.push({ kind: 'request', id: keyActor(call.keyId), title, detail });
  return found;
}

async function findPeople({ db }: Deps, scope: Scope, q: string): Promise<Found[]> {
  const { items } = await listPersonItems(db, scope, { q, limit: MOST_OF_A_KIND });
  return items.map(({ person_id: id, name, identity, external_id: externalId }) => ({
    kind: 'person',
    id,
    title: name ?? identity?.identifier ?? externalId,
    detail: externalId,
  }));
}

async function findSessions(deps: Deps, scope: Scope, q: string, role: Role): Promise<Found[]> {
  const { items } = await listSessionItems(deps, scope, { q, limit: MOST_OF_A_KIND }, role);
  return items.map(({ session_id: id, external_id: externalId, identity, created_at: createdAt }) => ({
    kind: 'session',
    id,
    title: externalId ?? identity?.identifier ?? null,
    detail: createdAt,
  }));
}

async function findEvents({ db }: Deps, scope: Scope, q: string): Promise<Found[]> {
  const sought = foldText(q);
  const events = await listEvents(db, scope, null, SEARCHED);
  return events
    .filter(
      ({ id, name, group }) => id === sought || [name, group].some((text) => foldText(text).includes(sought)),
    )
    .slice(0, MOST_OF_A_KIND)
    .map(({ id, name, startsAt }) => ({ kind: 'event', id, title: name, detail: iso(startsAt) }));
}

/** By the last characters, as logs and dashboards show them, or by the whole key. Keys are stored hashed. */
async function findKeys(deps: Deps, scope: Scope, q: string): Promise<Found[]> {
  const { items } = await listKeyPairs(deps, scope, { limit: SEARCHED });
  const text = q.trim();
  return items
    .flatMap((pair) => pair.keys.map(({ display }) => ({ id: pair.pair_id, display })))
    .filter(({ id, display }) => id === text || matchesKey(display, text))
    .slice(0, MOST_OF_A_KIND)
    .map(({ id, display }) => ({ kind: 'key', id, title: display, detail: null }));
}

const SHOWN_CHARS = 4;

function matchesKey(display: string, text: string): boolean {
  const tail = display.slice(-SHOWN_CHARS);
  return display.startsWith(text) || (text.length >= SHOWN_CHARS && text.endsWith(tail));
}
