/** Opaque positions in a list: the sort keys of its last row, as base64url of JSON. They grant no access. */
import { DEFAULT_PAGE } from '../contract/console/common.ts';

type CursorKey = string | number;

export function encodeCursor(keys: readonly CursorKey[]): string {
  return bytesToBase64Url(new TextEncoder().encode(JSON.stringify(keys)));
}

/** The keys of a cursor; null if it is not ours, or has a different number or kind of keys. */
export function decodeCursor<const K extends readonly ('string' | 'number')[]>(
  text: string,
  kinds: K,
): { -readonly [I in keyof K]: K[I] extends 'string' ? string : number } | null {
  let keys: unknown;
  try {
    keys = JSON.parse(new TextDecoder().decode(base64UrlToBytes(text)));
  } catch {
    return null;
  }
  if (!Array.isArray(keys) || keys.length !== kinds.length) return null;
  if (!kinds.every((kind, index) => isKey(kind, keys[index]))) return null;
  return keys as { -readonly [I in keyof K]: K[I] extends 'string' ? string : number };
}

/** Numbers are times and positions. PostgreSQL refuses any but an integer in their place. */
const isKey = (kind: 'string' | 'number', key: unknown): boolean =>
  kind === 'string' ? typeof key === 'string' : Number.isSafeInteger(key);

/**
 * Makes a page from the `limit + 1` rows that were read; the extra row shows that there is a next page.
 * @param keysOf sort keys of a row, in the order of the list
 */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  keysOf: (row: Row) => readonly CursorKey[],
  toItem: (row: Row) => Item,
): { items: Item[]; next_cursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { items: shown.map(toItem), next_cursor: hasMore ? encodeCursor(keysOf(last)) : null };
}

export const pageLimit = (query: { limit?: number }): number => query.limit ?? DEFAULT_PAGE;

function bytesToBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

function base64UrlToBytes(text: string): Uint8Array {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
