/** Which addresses a webhook may go to (decisions §4.9). */
import ipaddr from 'ipaddr.js';
import type { DestinationProblem } from '../../contract/webhook-types.ts';
import { ABSOLUTE } from '../address.ts';

export type DestinationPolicy = {
  /** Hosts, normalised, that the operator allows: they may be private and plain http. */
  allowHosts: ReadonlySet<string>;
  /** Addresses and names of this server. */
  ownAddresses: ReadonlySet<string>;
  /** Ports that this server listens on. */
  ownPorts: ReadonlySet<number>;
};

/** In the words of v1. */
export const DESTINATION_REFUSALS: Record<DestinationProblem, string> = {
  malformed: 'destination_url must be an absolute web address such as https://example.org/hooks.',
  credentials: 'destination_url must not carry a user name or password.',
  fragment: 'destination_url must not carry a fragment (#…): it is never sent.',
  scheme:
    'destination_url must start with https:// (plain http only for hosts that the operator allows: ' +
    'in the console under Settings, or with GATEHOUSE_WEBHOOK_ALLOW_HOSTS).',
  address:
    'destination_url leads to this server, or to a loopback, link-local or private address. ' +
    'The operator can allow the host: in the console under Settings, or with GATEHOUSE_WEBHOOK_ALLOW_HOSTS.',
};

/** Characters that parsers drop silently. */
const HIDDEN = /[\s\p{Cc}]/u;

/** The metadata address of cloud machines, outside every private range. */
const METADATA_ADDRESSES = new Set(['168.63.129.16']);

/** No name is longer (RFC 1035). With other characters it may be written shorter than it is. */
const MAX_HOST_CHARS = 253;

/** Lower case, without brackets and the root's dot: the form in which hosts are compared. */
export function normaliseHost(host: string): string {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  const lower = bare.toLowerCase().replace(/\.$/, '');
  return ipaddr.isValid(lower) ? ipaddr.process(lower).toString() : lower;
}

/** Whether a name or address always means this machine. */
export function isLoopbackHost(host: string): boolean {
  const name = normaliseHost(host);
  if (!ipaddr.isValid(name)) return name === 'localhost' || name.endsWith('.localhost');
  return ipaddr.process(name).range() === 'loopback';
}

/** Whether `host` may be on the allow list: a name or an address, without scheme, port or path. */
export function isAllowListHost(host: string): boolean {
  if (ipaddr.isValid(normaliseHost(host))) return true;
  return host.length <= MAX_HOST_CHARS && /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i.test(host);
}

/** Hosts of a comma-separated list, as in `GATEHOUSE_WEBHOOK_ALLOW_HOSTS`; null if one is not a host. */
export function parseAllowHosts(text: string | undefined): string[] | null {
  const hosts = (text ?? '')
    .split(',')
    .map((host) => host.trim())
    .filter((host) => host !== '');
  return hosts.every(isAllowListHost) ? hosts.map(normaliseHost) : null;
}

/** Whether a connection to this address is allowed. Only addresses routed on the public internet are. */
export function isPublicAddress(address: string, ownAddresses: ReadonlySet<string> = new Set()): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address embedded in IPv6 is treated as IPv4.
  const parsed = ipaddr.process(address);
  if (ownAddresses.has(parsed.toString()) || METADATA_ADDRESSES.has(parsed.toString())) return false;
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast';
  const bytes = parsed.toByteArray();
  const translated = translatedIpv4(bytes);
  if (translated !== null) return isPublicAddress(translated, ownAddresses);
  // Global unicast is 2000::/3 (RFC 4291); the rest is reserved, local, or an old way to carry IPv4.
  return parsed.range() === 'unicast' && ((bytes[0] ?? 0) & 0xe0) === 0x20;
}

/** The IPv4 address behind a translator's 64:ff9b::/96 (RFC 6052), which IPv6-only networks need. */
function translatedIpv4(bytes: readonly number[]): string | null {
  const prefix = [0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0];
  return prefix.every((byte, index) => bytes[index] === byte) ? bytes.slice(12).join('.') : null;
}

const PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };
const portOf = ({ port, protocol }: URL): number | undefined =>
  port === '' ? PORTS[protocol] : Number(port);

/**
 * What can be checked about a destination before its name is resolved: its form, its scheme, its port on this machine, and
 * a literal address.
 * @param mayBeLoopback this machine may be the receiver, at any port but those of this server
 */
export function judgeDestination(
  text: string,
  { allowHosts, ownAddresses, ownPorts }: DestinationPolicy,
  mayBeLoopback = false,
): { url: URL } | { refusal: DestinationProblem } {
  if (HIDDEN.test(text) || !ABSOLUTE.test(text) || !URL.canParse(text)) return { refusal: 'malformed' };
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return { refusal: 'credentials' };
  if (url.hash !== '') return { refusal: 'fragment' };
  const host = normaliseHost(url.hostname);
  if (host.length > MAX_HOST_CHARS) return { refusal: 'malformed' };
  if (allowHosts.has(host)) return { url };
  if (mayBeLoopback && isLoopbackHost(host)) {
    return ownPorts.has(portOf(url) ?? 0) ? { refusal: 'address' } : { url };
  }
  if (url.protocol !== 'https:') return { refusal: 'scheme' };
  const isRefused = ipaddr.isValid(host)
    ? !isPublicAddress(host, ownAddresses)
    : isLoopbackHost(host) || ownAddresses.has(host);
  return isRefused ? { refusal: 'address' } : { url };
}
