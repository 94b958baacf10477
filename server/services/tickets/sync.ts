/** Reads what ticketing systems sold, from where the last reading stopped. */
import {
  findSource,
  isSourceSame,
  listSyncedSources,
  type SyncedSource,
  updateSourceState,
} from '../../store/tickets/sources.ts';
import type { Ports } from '../ports/ports.ts';
import type { Ask } from './ask.ts';
import type { HashCode } from '../../domain/tickets/code-hash.ts';
import { ticketHasher } from './codes.ts';
import { readHiEvents } from './hi-events.ts';
import { tellPretixRefusals } from './pretix.ts';
import { readPretix } from './pretix-read.ts';
import { applyPage } from './source-page.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Of one source in one go; the rest follows a minute later. pretix allows 360 requests a minute. */
const MAX_PAGES = 60;
/** A slow source continues where it was, a minute later. */
const GO_MS = 30_000;
const AT_ONCE = 8;
/** A system that asks for more is asked again anyway. */
const LONGEST_WAIT_MS = 15 * 60_000;

/**
 * Of all sources whose event is near: once an hour before its last day, then at every call. Several are read side by side, those
 * that answered the last time first, so that a silent one keeps no other waiting. Of two readings of one source at once, each page is
 * taken from one: `isSourceSame`.
 */
export async function syncSources(
  deps: Pick<Ports, 'db' | 'clock'> & { ask: Ask },
  only?: string,
): Promise<void> {
  const { db, clock } = deps;
  const sources = await listSyncedSources(db, clock.now() - DAY_MS);
  const due = sources.filter(({ id, ...source }) =>
    only === undefined ? isDue(source, clock.now()) : id === only,
  );
  if (due.length === 0) return;
  const hashOf = await ticketHasher(deps);
  const errors: unknown[] = [];
  const waiting = due.toSorted((a, b) => failed(a) - failed(b));
  const next = async (): Promise<void> => {
    const source = waiting.shift();
    if (source === undefined) return;
    await syncSource(deps, hashOf, source).catch((error: unknown) => errors.push(error));
    await tellRefusals(deps, source).catch((error: unknown) => errors.push(error));
    await next();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} sources of tickets failed.`);
}

async function tellRefusals(
  { db, ask }: Pick<Ports, 'db'> & { ask: Ask },
  { scope, id, kind }: SyncedSource,
): Promise<void> {
  // As it was read just now, or was chosen or rolled meanwhile.
  const source = kind === 'pretix' ? await findSource(db, scope, id) : undefined;
  if (source === undefined || source.state['failure'] !== undefined) return;
  const ending = AbortSignal.timeout(GO_MS);
  await tellPretixRefusals({ db, ask: (question) => ask(question, ending) }, scope, source);
}

const failed = ({ state }: SyncedSource): number => (state['failure'] === undefined ? 0 : 1);

function isDue({ startsAt, state }: Pick<SyncedSource, 'startsAt' | 'state'>, nowMs: number): boolean {
  if (typeof state['waitUntil'] === 'number' && nowMs < state['waitUntil']) return false;
  const readAt = typeof state['readAt'] === 'number' ? state['readAt'] : 0;
  // A reading that stopped in the middle continues.
  return nowMs >= startsAt - DAY_MS || state['failure'] !== undefined || nowMs - readAt >= HOUR_MS;
}

async function syncSource(
  { db, clock, ask }: Pick<Ports, 'db' | 'clock'> & { ask: Ask },
  hashOf: HashCode,
  source: SyncedSource,
): Promise<void> {
  const { scope } = source;
  let from: SyncedSource = source;
  const ending = AbortSignal.timeout(GO_MS);
  const asking: Ask = (question) => ask(question, ending);
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const read = source.kind === 'pretix' ? readPretix : readHiEvents;
    try {
      const page = await read(asking, from);
      if (ending.aborted && 'failure' in page && pages > 0) return;
      const at = clock.now();
      if ('failure' in page) {
        await fail(page.failure, page.retryAfterMs ?? 0);
        return;
      }
      const { failure: _, waitUntil: __, ...kept } = page.state;
      const state = page.isLast ? { ...kept, readAt: at } : kept;
      const of = { page: { ...page, state }, hashOf, at };
      const isApplied = await db.tx((tx) => applyPage(tx, scope, from, of), scope);
      if (!isApplied || page.isLast) return;
      from = { ...from, state };
    } catch (error) {
      await fail('failed');
      throw error;
    }
  }

  async function fail(failure: string, retryAfterMs = 0): Promise<void> {
    const { waitUntil: _, ...kept } = from.state;
    const waitUntil = clock.now() + Math.min(retryAfterMs, LONGEST_WAIT_MS);
    const state = { ...kept, failure, ...(retryAfterMs > 0 && { waitUntil }) };
    await db.tx(async (tx) => {
      if (await isSourceSame(tx, scope, from)) await updateSourceState(tx, scope, { id: from.id, state });
    }, scope);
  }
}
