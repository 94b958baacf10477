import { networkInterfaces } from 'node:os';
import { normaliseHost } from '../../domain/webhooks/destination.ts';

/** This machine's current addresses, and its public name. */
export function ownAddresses(publicUrl: string): ReadonlySet<string> {
  const addresses = Object.values(networkInterfaces()).flatMap((cards) =>
    (cards ?? []).map((card) => card.address),
  );
  const name = URL.canParse(publicUrl) ? [new URL(publicUrl).hostname] : [];
  return new Set([...addresses, ...name].map(normaliseHost));
}
