/** Differences between the versions of the API, by the path of an operation. */

const isConnect = (path: string): boolean => /^\/v[12]\//.test(path);

/** The header that carries the key: `API-KEY` in v1 and v2, a bearer token in v3. */
export function keyHeader(path: string, key: string): Record<string, string> {
  return isConnect(path) ? { 'api-key': key } : { authorization: `Bearer ${key}` };
}

/** Placeholder for a test key. */
export const sampleKey = (path: string): string => (isConnect(path) ? 'ak_test_…' : 'sk_test_…');

/** The field of an error body that holds the code. */
export const codeField = (path: string): string => (isConnect(path) ? 'failure_code' : 'detail');
