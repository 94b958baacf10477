/** Which page may be told a result: one exact origin, https unless it is on this machine or a private network. */
import { parseUrl } from '../embed/parse-url.ts';

const IPV4 = /^(\d{1,3})\.(\d{1,3})\.\d{1,3}\.\d{1,3}$/;

/** @param hostname as a parsed URL gives it: lower case, IPv4 in four parts, IPv6 in brackets */
export function isLocalHost(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true;
  if (hostname.startsWith('[')) return /^\[(::1|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)\]$/.test(hostname);
  const [, first, second] = (IPV4.exec(hostname) ?? []).map(Number);
  if (first === undefined || second === undefined) return false;
  return (
    first === 10 ||
    first === 127 ||
    (first === 172 && second >= 16 && second <= 31) ||
    (first === 192 && second === 168) ||
    (first === 169 && second === 254)
  );
}

/** The origin as browsers write it, or null when nothing may be posted to it. */
export function embedOrigin(text: string | null): string | null {
  const url = text === null ? null : parseUrl(text);
  if (url === null || url.origin !== text) return null;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocalHost(url.hostname))
    ? url.origin
    : null;
}
