import ipaddr from 'ipaddr.js';

/** Whether the origin is reachable only from this machine. */
export const isLoopbackUrl = (origin: string): boolean =>
  /^https?:\/\/(127\.|localhost|\[::1\])/.test(origin);

const NOT_PUBLIC = new Set(['private', 'loopback', 'linkLocal', 'uniqueLocal']);

/** Whether a URL's host is this machine or a private network (contract, initialize rule 3). */
export function isLocalOrPrivateHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  const bare = host.startsWith('[') ? host.slice(1, -1) : host;
  if (!ipaddr.isValid(bare)) return false;
  // An IPv4 address embedded in IPv6 is treated as IPv4.
  return NOT_PUBLIC.has(ipaddr.process(bare).range());
}

/** Parsers accept `https:host` and `https:///host`, but the author may have meant something else. */
export const ABSOLUTE = /^https?:\/\/[^/\\]/i;

/** Everything before an @ in front of the host. Parsers drop an empty name here; this pattern does not. */
const USER_INFORMATION = /^https?:\/\/[^/?#\\]*@/i;

/** In a host, browsers take a backslash for a slash and drop line breaks and tabs. Other parsers then see another host. */
const AMBIGUOUS_HOST = /^https?:\/\/[^/?#]*[\\\t\n\r]/i;

/**
 * An absolute https address, or http for localhost or a private address. Null for anything else, and for an
 * address with user information: `https://venue.example@other.example` looks like one host and leads to
 * another.
 */
export function parseReturnAddress(input: string): URL | null {
  if (!ABSOLUTE.test(input) || USER_INFORMATION.test(input) || AMBIGUOUS_HOST.test(input)) return null;
  const url = URL.parse(input);
  if (!url || url.username !== '' || url.password !== '') return null;
  if (url.protocol === 'https:') return url;
  return url.protocol === 'http:' && isLocalOrPrivateHost(url.hostname) ? url : null;
}

/**
 * A bare domain (then https) or a full origin, normalised as browsers do. Null if it is neither, or if a person
 * could not return to it. Ports are kept. Text after the host makes it invalid.
 */
export function normaliseOrigin(input: string): string | null {
  const trimmed = input.trim();
  const url = parseReturnAddress(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (!url) return null;
  const isBare = url.pathname === '/' && url.search === '' && url.hash === '';
  return isBare ? url.origin : null;
}

const V6_SITE_PARTS = 4;

/**
 * The source of a request, as rate limits count it. An IPv6 /64 network counts as one source because a single
 * host usually has all of it. IPv4 inside IPv6 counts as IPv4.
 */
export function placeOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, V6_SITE_PARTS).join(':') : parsed.toString();
}
