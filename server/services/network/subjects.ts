/** The addresses and name of this machine on the venue's network: private addresses and the local name. */
import { hostname, networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import type { Subjects } from './authority.ts';

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
    // IPv4 goes into a QR code that a person may have to type, so it comes first.
    .sort((a, b) => Number(a.includes(':')) - Number(b.includes(':')));
  const [label = ''] = host.toLowerCase().split('.');
  return {
    names: [...(LABEL.test(label) ? [`${label}.local`] : []), 'localhost'],
    addresses: [...new Set(addresses), '127.0.0.1', '::1'],
  };
}

/** The first address that others can reach; null if this machine is on no network. */
export function firstReachable({ addresses }: Subjects): string | null {
  return addresses.find((address) => address !== '127.0.0.1' && address !== '::1') ?? null;
}

/** An address as written in a URL. */
export const inUrl = (address: string): string => (address.includes(':') ? `[${address}]` : address);
