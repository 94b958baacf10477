import type { QueryClient } from '@tanstack/react-query';

type Cached = { pages?: unknown[]; items?: unknown[] };

/**
 * Shows what a change answered with, in each cached list and detail of a topic that has the row. Lists keep their order.
 * @param topic first part of the query keys
 * @param id name of the field that tells rows apart
 */
export function putRow<T extends object>(client: QueryClient, topic: string, id: keyof T, row: T): void {
  const isIt = (cached: object): boolean => id in cached && (cached as T)[id] === row[id];
  const updated = (cached: unknown): unknown => {
    if (typeof cached !== 'object' || cached === null) return cached;
    if (isIt(cached)) return row;
    const { pages, items } = cached as Cached;
    if (pages !== undefined) return { ...cached, pages: pages.map(updated) };
    return items === undefined ? cached : { ...cached, items: items.map(updated) };
  };
  client.setQueriesData({ queryKey: [topic] }, updated);
}
