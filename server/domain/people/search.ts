/** Which metadata a person can be found by. */
export type SearchableMetadata = Readonly<Record<string, string | number | boolean>>;

/** Longer texts are indexed by their start, because an index entry is limited. */
const MAX_INDEXED_CHARS = 200;

/** Names in the languages of the pages. Any key that ends in "name" also counts (`full_name`, `Vorname`). */
const NAME_KEYS = new Set(['nom', 'prenom', 'nombre', 'apellido', 'apellidos']);

/** Whether a value under this key is a name rather than a number or a colour. */
function isNameKey(key: string): boolean {
  const folded = foldText(key).replaceAll(/[^\p{L}]/gu, '');
  return folded.endsWith('name') || NAME_KEYS.has(folded);
}

/** A value, normalised for comparison: "VIP" is "vip", 7 is "7", true is "true". */
export const indexedValue = (value: string | number | boolean): string =>
  foldText(String(value)).slice(0, MAX_INDEXED_CHARS);

/** Every key with its normalised value. */
export const indexedEntries = (metadata: SearchableMetadata): [key: string, value: string][] =>
  Object.entries(metadata).map(([key, value]) => [key, indexedValue(value)]);

/** Words of all names, each once. */
export function nameWords(metadata: SearchableMetadata): string[] {
  const names = Object.entries(metadata).filter(([key]) => isNameKey(key));
  const words = names.flatMap(([, name]) => foldedWords(String(name).slice(0, MAX_INDEXED_CHARS)));
  return [...new Set(words)];
}

const WHOLE = ['name', 'full_name', 'fullname', 'display_name', 'displayname'];
const FIRST = ['first_name', 'firstname', 'given_name', 'givenname', 'vorname', 'prenom', 'nombre'];
const LAST = ['last_name', 'lastname', 'family_name', 'surname', 'nachname', 'nom', 'apellido', 'apellidos'];

/** The person's display name; null if none is known. */
export function displayName(metadata: SearchableMetadata): string | null {
  const byKey = new Map(
    Object.entries(metadata).map(([key, value]) => [foldText(key), String(value).trim()]),
  );
  const firstOf = (keys: readonly string[]) => keys.map((key) => byKey.get(key)).find((name) => name);
  const parts = [firstOf(FIRST), firstOf(LAST)].filter((part) => part !== undefined);
  return firstOf(WHOLE) ?? (parts.length > 0 ? parts.join(' ') : null);
}

/** Names are compared without case, accents and extra spaces. */
export function foldText(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim().replaceAll(/\s+/g, ' ');
}

/** An ID in the form of a UUID, in any case. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A longer text is not a name. */
const MAX_NAME_WORDS = 6;

/** The words by which a person of that name is found. */
export const searchedWords = (text: string): string[] => foldedWords(text).slice(0, MAX_NAME_WORDS);

/** The folded words of a text, each once: "José  da-Silva" is jose, da and silva. */
export function foldedWords(text: string): string[] {
  const words = foldText(text).split(/[^\p{L}\p{N}]+/u);
  return [...new Set(words.filter((word) => word !== ''))];
}
