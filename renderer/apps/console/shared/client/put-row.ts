/** Shows the reply to a change, instead of refreshing. */
import type { QueryClient, QueryKey } from '@tanstack/react-query';

type Page = { items: unknown[]; next_cursor?: string | null };
type Pages = { pages: Page[] };

/**
 * Replaces a row in each cached list and detail of a topic. Lists keep their order.
 * @param topic first part of the query keys
 * @param id name of the identifying field
 */
export function putRow<T extends object>(client: QueryClient, topic: string, id: keyof T, row: T): void {
  const isIt = (cached: object): boolean => id in cached && (cached as T)[id] === row[id];
  const updated = (cached: unknown): unknown => {
    if (typeof cached !== 'object' || cached === null) return cached;
    if (isIt(cached)) return row;
    const { pages, items } = cached as Partial<Page & Pages>;
    if (pages !== undefined) return { ...cached, pages: pages.map(updated) };
    return items === undefined ? cached : { ...cached, items: items.map(updated) };
  };
  client.setQueriesData({ queryKey: [topic] }, updated);
}

/**
 * Adds a row to the cached lists whose keys begin with `key`, comparing filters by field. A position after the last
 * loaded page is left to that page.
 * @param isBefore whether the list shows the new row before `other`
 */
export function addRow<T>(client: QueryClient, key: QueryKey, row: T, isBefore: (other: T) => boolean): void {
  const insert = (page: Page): Page | null => {
    const place = page.items.findIndex((other) => isBefore(other as T));
    if (place === -1) return null;
    return { ...page, items: page.items.toSpliced(place, 0, row) };
  };
  const append = (page: Page): Page => (page.next_cursor ? page : { ...page, items: [...page.items, row] });
  eachList(client, key, (pages) => {
    const at = pages.findIndex((page) => insert(page) !== null);
    const place = at === -1 ? pages.length - 1 : at;
    return pages.map((page, index) => (index === place ? (insert(page) ?? append(page)) : page));
  });
}

/** Removes a row from the cached lists whose keys begin with `key`. */
export function dropRow<T>(client: QueryClient, key: QueryKey, isIt: (row: T) => boolean): void {
  eachList(client, key, (pages) =>
    pages.map((page) => ({ ...page, items: page.items.filter((row) => !isIt(row as T)) })),
  );
}

function eachList(client: QueryClient, queryKey: QueryKey, change: (pages: Page[]) => Page[]): void {
  client.setQueriesData<unknown>({ queryKey }, (cached: unknown) => {
    if (typeof cached !== 'object' || cached === null) return cached;
    if ('pages' in cached) return { ...cached, pages: change((cached as Pages).pages) };
    return 'items' in cached ? change([cached as Page])[0] : cached;
  });
}
