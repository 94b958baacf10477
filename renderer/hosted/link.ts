/**
 * The links that lead here: a session's (`/verification?vys=…`, of v2 `/connect?session_id=…`), an invite's (`/invite/…`)
 * and a verification's own (`/v/…`). The one that a computer shows to a phone carries a one-time code in the fragment,
 * which no server logs; the direct link of v2 (`/connect/direct`) a single-use proof of its number in `t`.
 */
import { parseUrl } from '../embed/parse-url.ts';

export type RunLink = { kind: 'session' | 'invite' | 'verification'; id: string };

/** Values that an embedding page may offer for the person's fields. */
export type Prefill = { email: string; phone: string };

export type PageLink = {
  run: RunLink;
  handoffCode: string | null;
  directToken: string | null;
  prefill: Prefill;
};

const HANDOFF_FIELD = 'h';
const DIRECT_TOKEN_FIELD = 't';
const CONNECT = /^\/connect(\/direct)?\/?$/;
const PATHS: readonly (readonly [RunLink['kind'], RegExp])[] = [
  ['invite', /\/invite\/([^/]+)\/?$/],
  ['verification', /\/v\/([^/]+)\/?$/],
];

/** Where a person sees and erases their own data, on every server. */
export const OWN_PAGE = '/my';

/** @param address absolute address of the page */
export const leadsToOwnPage = (address: string): boolean => /^\/my\/?$/.test(new URL(address).pathname);

/** @param address absolute address of the page */
export function readPageLink(address: string): PageLink {
  const url = new URL(address);
  const query = url.searchParams;
  return {
    run: runOf(url),
    handoffCode: new URLSearchParams(url.hash.slice(1)).get(HANDOFF_FIELD),
    directToken: CONNECT.test(url.pathname) ? query.get(DIRECT_TOKEN_FIELD) : null,
    prefill: { email: query.get('vy_email') ?? '', phone: query.get('vy_phone') ?? '' },
  };
}

function runOf(url: URL): RunLink {
  for (const [kind, pattern] of PATHS) {
    const id = pattern.exec(url.pathname)?.[1];
    if (id !== undefined) return { kind, id: decoded(id) };
  }
  const field = CONNECT.test(url.pathname) ? 'session_id' : 'vys';
  return { kind: 'session', id: url.searchParams.get(field) ?? '' };
}

/** A path may hold a stray percent sign; it then stands for itself, and the server says that it knows no such link. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address without what was good once, for the browser's history. */
export function withoutSecrets(address: string): string {
  const url = new URL(address);
  url.hash = '';
  if (CONNECT.test(url.pathname)) url.searchParams.delete(DIRECT_TOKEN_FIELD);
  return url.href;
}

/** Where to go next, or null when the address is not one a browser should follow. */
export function safeReturnUrl(address: string | null | undefined): string | null {
  if (address === null || address === undefined) return null;
  const url = parseUrl(address);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}
