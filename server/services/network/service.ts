/** The network mode of a running server, as the rest of the service sees it, and this machine's addresses. */
import { existsSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import type { Subjects } from './authority.ts';

export type LanState = {
  isOn: boolean;
  isConsoleOpen: boolean;
  /** The environment or the command line turned it on; settings cannot turn it off. */
  isForced: boolean;
  /** Advertised origin while on: the service at its first address; null while off or without a network. */
  origin: string | null;
  /** All origins that devices may use. */
  origins: readonly string[];
  consoleOrigin: string | null;
  /** Plain http, where a device gets the certificate to trust. */
  trustUrl: string | null;
  /** SHA-256 of the authority, for people to compare. */
  fingerprint: string | null;
  /** End of the server's certificate, epoch milliseconds. It is renewed long before. */
  expiresAt: number | null;
  /** Why it is not running although it is on. */
  failure: 'port_in_use' | 'no_network' | 'failed' | null;
};

export type LanService = {
  state(): LanState;
  /** Applies the setting and this machine's addresses immediately. */
  apply(): Promise<LanState>;
  close(): Promise<void>;
};

export const LAN_OFF: LanState = {
  isOn: false,
  isConsoleOpen: false,
  isForced: false,
  origin: null,
  origins: [],
  consoleOrigin: null,
  trustUrl: null,
  fingerprint: null,
  expiresAt: null,
  failure: null,
};

// The addresses and name of this machine on the venue's network: private addresses and the local name.

const PRIVATE_RANGES: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'carrierGradeNat']);
/** One label of a host name (RFC 1123 §2.1). */
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * In the order in which address families appear. Link-local addresses are left out, because they mean nothing without
 * an interface.
 */
export function ownSubjects(interfaces = networkInterfaces(), host = hostname()): Subjects {
  const addresses = Object.values(interfaces)
    .flatMap((entries) => entries ?? [])
    .filter(({ internal, address }) => !internal && PRIVATE_RANGES.has(ipaddr.parse(address).range()))
    .map(({ address }) => address)
    // IPv4 first, see firstReachable.
    .sort((a, b) => Number(a.includes(':')) - Number(b.includes(':')));
  const [label = ''] = host.toLowerCase().split('.');
  return {
    names: [...(LABEL.test(label) ? [`${label}.local`] : []), 'localhost'],
    addresses: [...new Set(addresses), '127.0.0.1', '::1'],
  };
}

/**
 * How others reach this machine; null if it is on no network. An IPv4 address comes first, because tablets exist that
 * do not resolve `.local` names; the name comes before an IPv6 address, which nobody types.
 */
export function firstReachable({ addresses, names }: Subjects): string | null {
  const outside = addresses.filter((address) => address !== '127.0.0.1' && address !== '::1');
  const [address] = outside;
  if (address === undefined || !address.includes(':')) return address ?? null;
  return names.find((name) => name !== 'localhost') ?? address;
}

/** Avahi, which announces `.local` names on Linux; macOS and Windows do it themselves. */
const AVAHI = '/run/avahi-daemon/socket';
const announcesNames = (): boolean => process.platform !== 'linux' || existsSync(AVAHI);

/**
 * The subjects that others can be told. A `.local` name that nothing on this machine announces leads nowhere; it stays where there is
 * no address.
 */
export function announcedSubjects(own: Subjects, isAnnounced = announcesNames()): Subjects {
  const hasAddress = own.addresses.some((address) => address !== '127.0.0.1' && address !== '::1');
  if (isAnnounced || !hasAddress) return own;
  return { ...own, names: own.names.filter((name) => !name.endsWith('.local')) };
}

/** An address as written in a URL. */
export const inUrl = (address: string): string => (address.includes(':') ? `[${address}]` : address);
