/** Values of requests and replies: cursors, times and credentials. */
import { decodeCursor } from '../../domain/cursor.ts';
import { invalidCursor, Refusal } from '../../refusals/refusal.ts';
import { canonicalEmail, canonicalPhone, type Identity } from '../../domain/identity.ts';

/**
 * The keys of a cursor; null for the beginning of a list.
 * @throws Refusal `invalid_cursor`
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

export const iso = (at: number): string => new Date(at).toISOString();
export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

/**
 * The credential in a request; null if there is none.
 * @throws Refusal `one_identifier_only` for two, `identifier_unrecognized` for one that cannot be parsed
 */
export function readIdentity({ email, phone }: { email?: string; phone?: string }): Identity | null {
  if (email !== undefined && phone !== undefined) throw new Refusal('one_identifier_only');
  if (email === undefined && phone === undefined) return null;
  const identity = email === undefined ? canonicalPhone(phone ?? '') : canonicalEmail(email);
  if (!identity) throw new Refusal('identifier_unrecognized');
  return identity;
}
