/** The `Idempotency-Key` header (IETF draft 07): one key for one effect. */

/** The draft's string (RFC 8941 §3.3.3), with the parameters that it may have. */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"(?:[ \t]*;.*)?$/;
/** As most clients send it. */
const BARE = /^[\x21\x23-\x7e](?:[\x20\x21\x23-\x7e]*[\x21\x23-\x7e])?$/;
const MAX_CHARS = 255;

/** The key, the same whether the header quotes it or not; null if it is no key. */
export function parseIdempotencyKey(header: string): string | null {
  const text = header.trim();
  const quoted = QUOTED.exec(text)?.[1]?.replaceAll(/\\(["\\])/g, '$1');
  const key = quoted ?? (BARE.test(text) ? text : '');
  return key === '' || key.length > MAX_CHARS ? null : key;
}

/** JSON that is the same for the same value, in whatever order and spacing its fields were sent. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null)
    return value === undefined ? 'null' : JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`).join(',')}}`;
}
