/** The six operations of v1's webhook administration on the wire (decisions §4.8). */
import { Type, type Static } from 'typebox';
import { MAX_ADDRESS_CHARS, MAX_NAME_CHARS } from './text-bounds.ts';
import { CALL_STATUSES, WEBHOOK_TYPES } from './webhook-types.ts';

const success = Type.Unsafe<'success'>({ type: 'string', enum: ['success'] });
const webhookType = Type.Unsafe<(typeof WEBHOOK_TYPES)[number]>({ type: 'string', enum: [...WEBHOOK_TYPES] });
const callStatus = Type.Unsafe<(typeof CALL_STATUSES)[number]>({ type: 'string', enum: [...CALL_STATUSES] });
const nullableTime = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description });
const time = Type.String({ format: 'date-time' });
const transactionId = Type.String({ description: '`ewh:` and a UUID.' });

/** An unknown type is refused by the service, with words that name the known ones. */
export const WebhookConfigEdit = Type.Object({
  webhook_type: Type.String({
    maxLength: MAX_NAME_CHARS,
    description: `One of ${WEBHOOK_TYPES.join(', ')}.`,
  }),
  destination_url: Type.String({
    maxLength: MAX_ADDRESS_CHARS,
    description: 'Absolute https address of the receiver.',
  }),
});
export type WebhookConfigEdit = Static<typeof WebhookConfigEdit>;

export const WebhookConfigEdited = Type.Object({
  status: success,
  webhook_type: webhookType,
  destination_url: Type.String(),
  shared_secret: Type.String({
    description: 'Keys the signature; made once per API key, kept through a roll.',
  }),
});
export type WebhookConfigEdited = Static<typeof WebhookConfigEdited>;

export const WebhookConfigs = Type.Array(
  Type.Object({ webhook_type: webhookType, destination_url: Type.String() }),
);
export type WebhookConfigs = Static<typeof WebhookConfigs>;

export const WebhookConfigDelete = Type.Object({
  webhook_type: Type.String({ maxLength: MAX_NAME_CHARS }),
});
export type WebhookConfigDelete = Static<typeof WebhookConfigDelete>;

export const WebhookConfigDeleted = Type.Object({ status: success, webhook_type: webhookType });
export type WebhookConfigDeleted = Static<typeof WebhookConfigDeleted>;

export const WebhookCallItem = Type.Object({
  transaction_id: transactionId,
  webhook_type: webhookType,
  status: callStatus,
  attempts: Type.Integer({ minimum: 0, maximum: 16 }),
  created_at: time,
  next_attempt_at: nullableTime('Null once it has ended, and while an attempt is under way.'),
  last_attempt_at: nullableTime('Null before the first attempt.'),
  completed_at: nullableTime('When a receiver took it.'),
});
export type WebhookCallItem = Static<typeof WebhookCallItem>;
export const WebhookCalls = Type.Array(WebhookCallItem);

export const WebhookCallRerun = Type.Object({
  transaction_id: Type.String({ maxLength: MAX_NAME_CHARS }),
});
export type WebhookCallRerun = Static<typeof WebhookCallRerun>;

export const WebhookCallRerunResult = Type.Object({ status: success, transaction_id: transactionId });
export type WebhookCallRerunResult = Static<typeof WebhookCallRerunResult>;

export const WebhookEventItem = Type.Object({
  transaction_id: transactionId,
  attempt: Type.Integer({ minimum: 1, maximum: 16 }),
  http_status: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  response_body: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The first 20,000 bytes of the answer.',
  }),
  network_failure: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Why no whole answer came, in words.',
  }),
  duration_ms: Type.Integer({ minimum: 0 }),
  created_at: time,
});
export type WebhookEventItem = Static<typeof WebhookEventItem>;
export const WebhookEvents = Type.Array(WebhookEventItem);
