/** What a QR code shown to a kiosk leads to: one of this server's links, or something else. */

export type ScannedLink =
  | { kind: 'session'; id: string; directToken: string | null }
  | { kind: 'invite'; code: string }
  | { kind: 'verification'; id: string };

/** Targets of the links of decisions §3.8 and §4.4; each carries one ID. */
const PATHS: readonly [RegExp, (id: string) => ScannedLink][] = [
  [/^\/invite\/([^/]+)\/?$/, (code) => ({ kind: 'invite', code })],
  [/^\/v\/([^/]+)\/?$/, (id) => ({ kind: 'verification', id })],
];

/**
 * @param ownOrigins origins of this server
 * @returns null if it is not one of its links, for example a link of another server
 */
export function readScannedLink(text: string, ownOrigins: readonly string[]): ScannedLink | null {
  const url = URL.parse(text.trim());
  if (!url || !ownOrigins.includes(url.origin)) return null;
  for (const [pattern, toLink] of PATHS) {
    const id = pattern.exec(url.pathname)?.[1];
    if (id !== undefined) return toLink(id);
  }
  const session = sessionOf(url);
  if (session === null || session === '') return null;
  const isDirect = /^\/connect\/direct\/?$/.test(url.pathname);
  return { kind: 'session', id: session, directToken: isDirect ? url.searchParams.get('t') : null };
}

function sessionOf({ pathname, searchParams }: URL): string | null {
  if (/^\/verification\/?$/.test(pathname)) return searchParams.get('vys');
  return /^\/connect(\/direct)?\/?$/.test(pathname) ? searchParams.get('session_id') : null;
}
