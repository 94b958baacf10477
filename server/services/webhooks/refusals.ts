import { Refusal } from '../../refusals/refusal.ts';
import {
  isV3Event,
  WEBHOOK_TYPES,
  type WebhookEventType,
  type WebhookType,
} from '../../contract/webhook-types.ts';
import type { Scope } from '../../domain/scope.ts';
import {
  DESTINATION_REFUSALS,
  type DestinationPolicy,
  judgeDestination,
} from '../../domain/webhooks/destination.ts';

/** @throws Refusal `invalid_webhook_type` */
export function knownType(text: string): WebhookType {
  const type = WEBHOOK_TYPES.find((known) => known === text);
  if (!type)
    throw new Refusal('invalid_webhook_type', {
      message: `webhook_type must be one of ${WEBHOOK_TYPES.join(', ')}.`,
    });
  return type;
}

/** Whether calls of this kind may go to this machine: those of v3 with test data, for developers. */
export const mayBeLoopback = ({ scope, type }: { scope: Scope; type: WebhookEventType }): boolean =>
  scope.partition === 'test' && isV3Event(type);

/** @throws Refusal `invalid_destination` */
export function usableDestination(text: string, policy: DestinationPolicy, mayBeLoopback = false): URL {
  const judged = judgeDestination(text, policy, mayBeLoopback);
  if ('refusal' in judged) {
    const problem = judged.refusal;
    const reason = DESTINATION_REFUSALS[problem];
    throw new Refusal('invalid_destination', {
      message: reason,
      extra: { reason: reason.replace('destination_url', 'url') },
      args: { problem },
    });
  }
  return judged.url;
}
