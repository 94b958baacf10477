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

/** Parsers drop it, so that two texts would be one address (decisions §3.20). */
const SPACE_AROUND = /^[\s\p{Cc}]|[\s\p{Cc}]$/u;

/**
 * An absolute https address, or http for localhost or a private address. Null for anything else, and for an
 * address with user information: `https://venue.example@other.example` looks like one host and leads to
 * another.
 */
export function parseReturnAddress(input: string): URL | null {
  if (SPACE_AROUND.test(input)) return null;
  if (!ABSOLUTE.test(input) || USER_INFORMATION.test(input) || AMBIGUOUS_HOST.test(input)) return null;
  const url = URL.parse(input);
  if (!url || url.username !== '' || url.password !== '') return null;
  if (url.protocol === 'https:') return url;
  return url.protocol === 'http:' && isLocalOrPrivateHost(url.hostname) ? url : null;
}

/** What scripts send for a missing value, and the origin of a page without one. */
const NOT_A_HOST = new Set(['null', 'undefined']);
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const MAX_HOST_CHARS = 253;
/** Spaces and whatever nobody sees. Scripts such as Persian need the two joiners, which the URL parser checks. */
const UNSEEN = /[\s\p{C}]/u;
const JOINERS = /[\u200c\u200d]/g;

/**
 * An origin as browsers write it, from a full one or a bare domain (then https). Null for anything that no page can
 * have, or to which a person could not return (decisions §3.19): `null`, wildcards, lists, spaces, paths, other schemes.
 */
export function parseOrigin(input: string): string | null {
  if (UNSEEN.test(input.replace(JOINERS, ''))) return null;
  const isBare = !/^[a-z][a-z0-9+.-]*:\/\//i.test(input);
  const full = isBare ? `https://${input}` : input;
  const [, host] = /^https?:\/\/([^/?#\\@%]+)\/?$/i.exec(full) ?? [];
  const url = parseReturnAddress(full);
  if (host === undefined || !url || url.port === '0') return null;
  return isHostName(url.hostname, host.toLowerCase(), isBare) ? url.origin : null;
}

/** @param written as the sender wrote it: `0x7f.1` is an IP address for browsers only */
function isHostName(host: string, written: string, isBare: boolean): boolean {
  const bare = host.startsWith('[') ? host.slice(1, -1) : host;
  if (ipaddr.isValid(bare)) {
    return (
      ipaddr.parse(bare).range() !== 'unspecified' && (host !== bare || written.split(':', 1)[0] === host)
    );
  }
  const labels = host.split('.');
  if (host.length > MAX_HOST_CHARS || !labels.every((label) => LABEL.test(label))) return false;
  // One word alone is more often a mistake than the name of a machine, which can be sent with its scheme.
  return !NOT_A_HOST.has(host) && (!isBare || labels.length > 1 || host === 'localhost');
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
