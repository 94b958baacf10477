/** How a call is written: what differs between the versions of the API by path, and the command for curl. */

const isConnect = (path: string): boolean => /^\/v[12]\//.test(path);

/** The header that carries the key: `API-KEY` in v1 and v2, a bearer token in v3. */
export function keyHeader(path: string, key: string): Record<string, string> {
  return isConnect(path) ? { 'api-key': key } : { authorization: `Bearer ${key}` };
}

/** Placeholder for a test key. */
export const sampleKey = (path: string): string => (isConnect(path) ? 'ak_test_…' : 'sk_test_…');

/** The field of an error body that holds the code. */
export const codeField = (path: string): string => (isConnect(path) ? 'failure_code' : 'detail');

type CurlCall = {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Null if nothing is sent. */
  body: string | null;
};

/** The command for one call, ready for a POSIX shell. */
export function curlCommand({ method, url, headers, body }: CurlCall): string {
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`-d ${quoted(body)}`]),
  ].join(' \\\n  ');
}

/** Single quotes preserve everything except themselves. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
