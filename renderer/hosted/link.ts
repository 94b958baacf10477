/**
 * The hosted link. The session is in the query; the link that a desktop shows for the phone carries the flow token
 * in the fragment, which never reaches a server's log, so that the phone takes over the run the desktop opened.
 */
const TOKEN_FIELD = 't';

export type HostedLink = { sessionId: string | null; flowToken: string | null };

/** @param address absolute address of the page */
export function readHostedLink(address: string): HostedLink {
  const url = new URL(address);
  return {
    sessionId: url.searchParams.get('vys'),
    flowToken: new URLSearchParams(url.hash.slice(1)).get(TOKEN_FIELD),
  };
}

/** The address without its fragment, for the browser's history. */
export function withoutFragment(address: string): string {
  const url = new URL(address);
  url.hash = '';
  return url.href;
}

/** The link to open on a phone so that it continues this run. */
export function phoneLink(address: string, flowToken: string): string {
  const url = new URL(withoutFragment(address));
  url.hash = new URLSearchParams({ [TOKEN_FIELD]: flowToken }).toString();
  return url.href;
}

/** Where to go next, or null when the address is not one a browser should follow. */
export function safeReturnUrl(address: string | null | undefined): string | null {
  if (address === null || address === undefined) return null;
  const url = URL.parse(address);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}
