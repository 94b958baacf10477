import { WEBHOOK_TYPES, type WebhookType } from '../../contract/webhook-types.ts';
import { DESTINATION_REFUSALS, judgeDestination } from '../../domain/webhooks/destination.ts';
import { Refusal } from '../../refusals/refusal.ts';
import type { SendPolicy } from './send.ts';

/** @throws Refusal `invalid_webhook_type` */
export function knownType(text: string): WebhookType {
  const type = WEBHOOK_TYPES.find((known) => known === text);
  if (!type)
    throw new Refusal('invalid_webhook_type', {
      message: `webhook_type must be one of ${WEBHOOK_TYPES.join(', ')}.`,
    });
  return type;
}

/** @throws Refusal `invalid_destination` */
export function usableDestination(text: string, { allowHosts, ownAddresses }: SendPolicy): URL {
  const judged = judgeDestination(text, (host) => allowHosts.has(host), ownAddresses);
  if ('refusal' in judged) {
    const problem = judged.refusal;
    throw new Refusal('invalid_destination', { message: DESTINATION_REFUSALS[problem], args: { problem } });
  }
  return judged.url;
}
