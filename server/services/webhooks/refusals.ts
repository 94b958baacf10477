import { WEBHOOK_TYPES, type WebhookType } from '../../contract/webhook-types.ts';
import { DESTINATION_REFUSALS, judgeDestination } from '../../domain/webhooks/destination.ts';
import { ServiceError } from '../errors.ts';
import type { SendPolicy } from './send.ts';

type WebhookRefusal =
  | 'webhook_not_found'
  | 'invalid_webhook_type'
  | 'invalid_destination'
  | 'invalid_allow_host';

/** @param reason `failure_reason` in v1 @param args details for the sentence that the console shows */
export function refuse(
  code: WebhookRefusal,
  reason: string,
  args: Readonly<Record<string, string>> = {},
): ServiceError {
  return new ServiceError(code, { extra: { reason }, args });
}

/** @throws ServiceError `invalid_webhook_type` */
export function knownType(text: string): WebhookType {
  const type = WEBHOOK_TYPES.find((known) => known === text);
  if (!type) throw refuse('invalid_webhook_type', `webhook_type must be one of ${WEBHOOK_TYPES.join(', ')}.`);
  return type;
}

/** @throws ServiceError `invalid_destination` */
export function usableDestination(text: string, { allowHosts, ownAddresses }: SendPolicy): URL {
  const judged = judgeDestination(text, (host) => allowHosts.has(host), ownAddresses);
  if ('refusal' in judged) {
    const problem = judged.refusal;
    throw refuse('invalid_destination', DESTINATION_REFUSALS[problem], { problem });
  }
  return judged.url;
}
