/** Where an id that was typed can lead. */
import type { ConsolePage } from './pages.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Session ids and other secrets of at least 128 bits in base64url or hexadecimal. */
const LONG_ID = /^[\w-]{20,128}$/;
/** Pages whose `open` names a record by such an id. */
const BY_ID: readonly ConsolePage['id'][] = ['sessions', 'people'];

/** @returns the pages that open a record with this id, if it looks like one */
export function jumpsFor(
  typed: string,
  pages: readonly ConsolePage[],
): readonly { page: ConsolePage; id: string }[] {
  const id = typed.trim();
  if (!UUID.test(id) && !LONG_ID.test(id)) return [];
  return pages.filter((page) => BY_ID.includes(page.id)).map((page) => ({ page, id }));
}
