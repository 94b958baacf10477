/** Webhooks of a running server: the scheduler, with the rules for allowed destinations. */
import { networkInterfaces } from 'node:os';
import type { Database } from '../../store/sql/port.ts';
import type { Clock } from '../ports/clock.ts';
import { allowHostsNow } from './allow-list.ts';
import { createWebhookScheduler } from './scheduler.ts';
import { sendWebhook } from './send.ts';
import { type DestinationPolicy, normaliseHost } from '../../domain/webhooks/destination.ts';

export type WebhookService = {
  /** Where webhooks may currently go. */
  policy(): Promise<DestinationPolicy>;
  close(): Promise<void>;
};

type WebhookServiceOptions = {
  db: Database;
  clock: Clock;
  /** Hosts that the environment allows, normalised. */
  allowHosts: readonly string[];
  baseUrl: () => string;
  /** Where this process listens, each with its port. */
  listed: () => readonly string[];
  /** Sends nothing. */
  isSilent?: boolean;
  onError: (error: unknown) => void;
};

/** Starts sending what is in the outbox. A commit that queues a call triggers it at once. */
export function createWebhookService({
  db,
  clock,
  allowHosts,
  baseUrl,
  listed,
  isSilent = false,
  onError,
}: WebhookServiceOptions): WebhookService {
  const policy = async (): Promise<DestinationPolicy> => ({
    allowHosts: await allowHostsNow(db, allowHosts),
    ownAddresses: ownAddresses(baseUrl()),
    ownPorts: new Set(listed().map((address) => Number(/:(\d+)$/.exec(address)?.[1]))),
  });
  if (isSilent) return { policy, close: async () => undefined };
  const scheduler = createWebhookScheduler({
    db,
    clock,
    send: async (request, signal) => sendWebhook(request, { ...(await policy()), signal }),
    onError,
  });
  return { policy, close: () => scheduler.close() };
}

/** This machine's current addresses, and its public name. */
function ownAddresses(publicUrl: string): ReadonlySet<string> {
  const addresses = Object.values(networkInterfaces()).flatMap((cards) =>
    (cards ?? []).map((card) => card.address),
  );
  const name = URL.canParse(publicUrl) ? [new URL(publicUrl).hostname] : [];
  return new Set([...addresses, ...name].map(normaliseHost));
}
