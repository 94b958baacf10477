/** Reads what ticketing systems sold, from where the last reading stopped. */
import {
  isSourceSame,
  listSyncedSources,
  type SyncedSource,
  updateSourceState,
} from '../../store/tickets/sources.ts';
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
  const errors: unknown[] = [];
  // A source whose pages can't be taken keeps no other waiting.
  for (const source of due)
    await syncSource(deps, hashOf, source).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} sources of tickets failed.`);
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
  let from: SyncedSource = source;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const read = source.kind === 'pretix' ? readPretix : readHiEvents;
    try {
      const page = await read(ask, from);
      const at = clock.now();
      if ('failure' in page) {
        await fail(page.failure);
        return;
      }
      const { failure: _, ...kept } = page.state;
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

  async function fail(failure: string): Promise<void> {
    const state = { ...from.state, failure };
    await db.tx(async (tx) => {
      if (await isSourceSame(tx, scope, from)) await updateSourceState(tx, scope, { id: from.id, state });
    }, scope);
  }
}
