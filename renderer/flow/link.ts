/**
 * Parses the hosted page's address. A link that a computer shows to a phone contains a one-time code in the fragment,
 * which no server logs; the direct link of v2 (`/connect/direct`) a single-use proof of its number in `t`.
 */
import { CONNECT_PATH, runLinkOf, type RunLink } from '../../server/contract/hosted-link.ts';
import { parseUrl } from '../embed/protocol.ts';

export type { RunLink } from '../../server/contract/hosted-link.ts';

/** Values that an embedding page may offer for the person's fields. */
export type Prefill = { email: string; phone: string };

export type PageLink = {
  run: RunLink;
  handoffCode: string | null;
  /** Of the link with which a browser without a camera passed the run on. */
  continuationCode: string | null;
  directToken: string | null;
  prefill: Prefill;
};

const HANDOFF_FIELD = 'h';
const CONTINUATION_FIELD = 'c';
const DIRECT_TOKEN_FIELD = 't';

/** Where a person sees and erases their own data, on every server. */
export const OWN_PAGE = '/my';

const OWN_PROOF_FIELD = 'p';

/** @param proof of the run that was just made, in the fragment, which neither servers nor referrers see */
export const ownPageOf = (proof: string | undefined): string =>
  proof === undefined ? OWN_PAGE : `${OWN_PAGE}#${OWN_PROOF_FIELD}=${proof}`;

/** @param address absolute address of the person's own page */
export const readOwnProof = (address: string): string | null =>
  new URLSearchParams(new URL(address).hash.slice(1)).get(OWN_PROOF_FIELD);

/** Pages beside the check: a person's own data, the door team's scanner, the link of a ticket. */
export type OtherPage = 'my' | 'scan' | 'ticket';

/** Undefined for a check. @param path of the page's address */
export const otherPageOf = (path: string): OtherPage | undefined =>
  path.startsWith('/t/')
    ? 'ticket'
    : (['my', 'scan'] as const).find((name) => path.replaceAll('/', '') === name);

/** @param address absolute address of the page */
export function readPageLink(address: string): PageLink {
  const url = new URL(address);
  const query = url.searchParams;
  const fragment = new URLSearchParams(url.hash.slice(1));
  return {
    run: runLinkOf(url),
    handoffCode: fragment.get(HANDOFF_FIELD),
    continuationCode: fragment.get(CONTINUATION_FIELD),
    directToken: CONNECT_PATH.test(url.pathname) ? query.get(DIRECT_TOKEN_FIELD) : null,
    prefill: { email: query.get('vy_email') ?? '', phone: query.get('vy_phone') ?? '' },
  };
}

/** The address without one-time values, for the browser's history. */
export function withoutSecrets(address: string): string {
  const url = new URL(address);
  url.hash = '';
  if (CONNECT_PATH.test(url.pathname)) url.searchParams.delete(DIRECT_TOKEN_FIELD);
  return url.href;
}

/**
 * An address that Android opens in the phone's own browser instead of the app around the page. See
 * https://developer.chrome.com/docs/android/intents.
 */
export function androidBrowserLink(address: string): string {
  const { protocol, host, pathname, search, hash } = new URL(address);
  const scheme = protocol.replace(':', '');
  const action = 'action=android.intent.action.VIEW;category=android.intent.category.BROWSABLE';
  return `intent://${host}${pathname}${search}${hash}#Intent;scheme=${scheme};${action};end`;
}

/** The next address, or null if a browser should not follow it. */
export function safeReturnUrl(address: string | null | undefined): string | null {
  if (address === null || address === undefined) return null;
  const url = parseUrl(address);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}
