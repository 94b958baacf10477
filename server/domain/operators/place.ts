import ipaddr from 'ipaddr.js';

const V6_SITE_PARTS = 4;

/**
 * Where a call comes from, as limits count it. One host has a whole IPv6 network of 2^64 addresses, so that network is
 * one place; IPv4 inside IPv6 is IPv4.
 */
export function placeOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, V6_SITE_PARTS).join(':') : parsed.toString();
}
