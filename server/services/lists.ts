/** Shared by the console's lists: cursors and times as the page sends them. */
import { decodeCursor } from '../domain/cursor.ts';
import { ConsoleError, invalidCursor } from './errors.ts';

/**
 * The keys of a cursor; null for the beginning of a list.
 * @throws ConsoleError `invalid_cursor`
 */
export function placeOf<const K extends readonly ('string' | 'number')[]>(
  cursor: string | undefined,
  kinds: K,
): ReturnType<typeof decodeCursor<K>> {
  if (cursor === undefined) return null;
  const keys = decodeCursor(cursor, kinds);
  if (!keys) throw invalidCursor();
  return keys;
}

/** @throws ConsoleError `invalid_time` */
export function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const at = Date.parse(text);
  if (Number.isNaN(at)) {
    throw new ConsoleError('invalid_time', { text });
  }
  return at;
}
