/** A curl command for one call, ready for a POSIX shell. Pure. */

export type CurlCall = {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Null if nothing is sent. */
  body: string | null;
};

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
