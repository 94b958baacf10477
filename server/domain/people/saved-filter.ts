/** Whether a saved filter, or the name given to it, identifies one person. */
import {
  foldedWords,
  foldText,
  indexedEntries,
  indexedValue,
  nameWords,
  type SearchableMetadata,
} from './search.ts';

type Sought = {
  /** IDs, credentials and the customer's own IDs, each of which belongs to one person. */
  values: ReadonlySet<string>;
  /** The person's names, folded. */
  nameWords: readonly string[];
  /** The person's metadata, normalised. A value that others share does not identify them. */
  ownMetadata: ReadonlyMap<string, string>;
};

/** Compares numbers however they are written: "+34 600 12 34 56" is "+34600123456". */
const withoutSpacing = (text: string): string => text.replaceAll(/[\s().-]/g, '');

export function soughtBy(
  person: { metadata: SearchableMetadata },
  ids: readonly string[],
  isShared: (key: string, value: string) => boolean,
): Sought {
  return {
    values: new Set(ids.flatMap((id) => [foldText(id), withoutSpacing(foldText(id))])),
    nameWords: nameWords(person.metadata),
    ownMetadata: new Map(indexedEntries(person.metadata).filter(([key, value]) => !isShared(key, value))),
  };
}

/** @param query query of the page that the filter is saved for */
export function looksFor(filter: { name: string; query: string }, sought: Sought): boolean {
  const query = new URLSearchParams(filter.query);
  const key = query.get('key');
  const value = query.get('value');
  if (key !== null && value !== null && sought.ownMetadata.get(key) === indexedValue(value)) return true;
  return [filter.name, ...query.values()].some((text) => isThem(text, sought));
}

function isThem(text: string, { values, nameWords: known }: Sought): boolean {
  const folded = foldText(text);
  if (folded === '') return false;
  if (values.has(folded) || values.has(withoutSpacing(folded))) return true;
  // One word of several names a family, or anyone with that first name.
  const words = foldedWords(text);
  return (
    known.length > 0 &&
    words.length >= Math.min(2, known.length) &&
    words.every((word) => known.some((name) => name.startsWith(word)))
  );
}
