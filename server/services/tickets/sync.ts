/** Reads what ticketing systems sold, from where the last reading stopped. */
import { listSyncedSources, type SyncedSource, updateSourceState } from '../../store/tickets/sources.ts';
import type { Ports } from '../ports/ports.ts';
import type { Ask } from './ask.ts';
import { type HashCode, ticketHasher } from './codes.ts';
import { readHiEvents } from './hi-events.ts';
import { readPretix } from './pretix-read.ts';
import { applyPage } from './source-page.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Of one source in one go; the rest follows a minute later. pretix allows 360 requests a minute. */
const MAX_PAGES = 60;

/** Of all sources whose event is near: once an hour before its last day, then at every call. */
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
  for (const source of due) await syncSource(deps, hashOf, source);
}

function isDue({ startsAt, state }: Pick<SyncedSource, 'startsAt' | 'state'>, nowMs: number): boolean {
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
  let { state } = source;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const read = source.kind === 'pretix' ? readPretix : readHiEvents;
    const page = await read(ask, { ...source, state });
    const at = clock.now();
    if ('failure' in page) {
      const failed = { ...state, failure: page.failure };
      await db.tx((tx) => updateSourceState(tx, scope, { id: source.id, state: failed }), scope);
      return;
    }
    const { failure: _, ...kept } = page.state;
    state = page.isLast ? { ...kept, readAt: at } : kept;
    await db.tx((tx) => applyPage(tx, scope, source, { page: { ...page, state }, hashOf, at }), scope);
    if (page.isLast) return;
  }
}
