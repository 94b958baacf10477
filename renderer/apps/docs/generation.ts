/** What differs between the generations of the interface, by an operation's path. */

/** v1 and v2 carry their key in a header of its own, and fail with a body of their own. */
const isConnect = (path: string): boolean => /^\/v[12]\//.test(path);

/** The header that carries the key. */
export function keyHeader(path: string, key: string): Record<string, string> {
  return isConnect(path) ? { 'api-key': key } : { authorization: `Bearer ${key}` };
}

/** How a key that may be tried out looks. */
export const sampleKey = (path: string): string => (isConnect(path) ? 'ak_test_…' : 'sk_test_…');

/** The field of an error's body that holds its code. */
export const codeField = (path: string): string => (isConnect(path) ? 'failure_code' : 'detail');
