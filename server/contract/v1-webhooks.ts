/** The six operations of v1's webhook administration on the wire (decisions §4.8). */
import { Type, type Static } from 'typebox';
import { oneOf } from './schemas.ts';
import { MAX_ADDRESS_CHARS, MAX_NAME_CHARS } from './text-bounds.ts';
import { CALL_STATUSES, WEBHOOK_TYPES } from './webhook-types.ts';
import { success } from './v1.ts';

const webhookType = oneOf(WEBHOOK_TYPES, { description: 'Type of the event.' });
const destinationUrl = Type.String({ description: 'Address that events of this type are sent to.' });
const transactionId = Type.String({
  description: 'ID of the call: `ewh:` and a UUID. It is the same in all attempts.',
});
const time = (description: string) => Type.String({ format: 'date-time', description });
const nullable = <T>(type: string, description: string, options: object = {}) =>
  Type.Unsafe<T | null>({ type: [type, 'null'], description, ...options });
const nullableTime = (description: string) =>
  nullable<string>('string', description, { format: 'date-time' });

/** The service refuses an unknown type, and its reason lists the known ones. */
const sentType = Type.String({
  maxLength: MAX_NAME_CHARS,
  description: `Type of the event: ${WEBHOOK_TYPES.map((type) => `\`${type}\``).join(', ')}.`,
});

export const WebhookConfigEdit = Type.Object(
  {
    webhook_type: sentType,
    destination_url: Type.String({
      maxLength: MAX_ADDRESS_CHARS,
      description: 'Absolute https address that receives events of this type.',
    }),
  },
  { title: 'WebhookConfigEdit' },
);
export type WebhookConfigEdit = Static<typeof WebhookConfigEdit>;

export const WebhookConfigEdited = Type.Object(
  {
    status: success,
    webhook_type: webhookType,
    destination_url: destinationUrl,
    shared_secret: Type.String({
      description:
        'Secret that signs the calls. Each API key has one; it stays the same when you roll the key.',
    }),
  },
  { title: 'WebhookConfigEdited' },
);
export type WebhookConfigEdited = Static<typeof WebhookConfigEdited>;

const STOPPED_STATES = ['paused', 'gone'] as const;
export const WebhookConfigs = Type.Array(
  Type.Object(
    {
      webhook_type: webhookType,
      destination_url: destinationUrl,
      state: Type.Optional(
        oneOf(STOPPED_STATES, {
          description:
            'Only while no calls go out. `paused`, by an operator or after three days of failures: calls wait. `gone`, ' +
            'after an answer of 410: each event becomes a `FAILED` call with `network_failure` `destination_gone`, ' +
            'until you save the destination or rerun a call.',
        }),
      ),
      gone_at: Type.Optional(time('Time of the answer 410, with `state` `gone`.')),
    },
    { title: 'WebhookConfig' },
  ),
);
export type WebhookConfigs = Static<typeof WebhookConfigs>;

export const WebhookConfigDelete = Type.Object({ webhook_type: sentType }, { title: 'WebhookConfigDelete' });

export const WebhookConfigDeleted = Type.Object(
  { status: success, webhook_type: webhookType },
  { title: 'WebhookConfigDeleted' },
);
export type WebhookConfigDeleted = Static<typeof WebhookConfigDeleted>;

export const WebhookCallItem = Type.Object(
  {
    transaction_id: transactionId,
    webhook_type: webhookType,
    status: oneOf(CALL_STATUSES, {
      description: '`PENDING` until the call is delivered (`COMPLETED`) or given up (`FAILED`).',
    }),
    attempts: Type.Integer({ minimum: 0, maximum: 16, description: 'Number of attempts so far.' }),
    created_at: time('Time of the event.'),
    next_attempt_at: nullableTime(
      'Time of the next attempt. Null once the call has ended and while an attempt is running.',
    ),
    last_attempt_at: nullableTime('Time of the last attempt. Null before the first one.'),
    completed_at: nullableTime('Time of delivery. Null if the call is not delivered.'),
  },
  { title: 'WebhookCall' },
);
export type WebhookCallItem = Static<typeof WebhookCallItem>;
export const WebhookCalls = Type.Array(WebhookCallItem);

export const WebhookCallRerun = Type.Object(
  {
    transaction_id: Type.String({ maxLength: MAX_NAME_CHARS, description: 'ID of the call to send again.' }),
  },
  { title: 'WebhookCallRerun' },
);

export const WebhookCallRerunResult = Type.Object(
  { status: success, transaction_id: Type.String({ description: 'ID of the new call.' }) },
  { title: 'WebhookCallRerunResult' },
);
export type WebhookCallRerunResult = Static<typeof WebhookCallRerunResult>;

export const WebhookEventItem = Type.Object(
  {
    transaction_id: transactionId,
    attempt: Type.Integer({ minimum: 1, maximum: 16, description: 'Number of the attempt, from 1.' }),
    http_status: nullable<number>('integer', 'HTTP status of the response. Null if none was received.'),
    response_body: nullable<string>(
      'string',
      'First 20,000 bytes of the response body. Null if none was received.',
    ),
    network_failure: nullable<string>(
      'string',
      'Why no complete response was received, in English. Null if one was. `destination_gone` or ' +
        '`destination_deleted` alone: nothing was sent.',
    ),
    duration_ms: Type.Integer({ minimum: 0, description: 'Duration of the attempt in milliseconds.' }),
    created_at: time('Time of the attempt.'),
  },
  { title: 'WebhookEvent' },
);
export type WebhookEventItem = Static<typeof WebhookEventItem>;
export const WebhookEvents = Type.Array(WebhookEventItem);

/** The body of a call to a destination (contract, "v1 webhooks"). */
export const WebhookCallBody = Type.Object(
  {
    transaction_id: transactionId,
    user_id: Type.String({ description: 'Our ID of the person, as `register` returned it.' }),
    reference_user_id: Type.String({ description: 'Your ID of the person.' }),
    type: webhookType,
    payload: Type.Unsafe<Record<string, never>>({ type: 'object', description: 'Always empty.' }),
    created_at: time('Time of the event.'),
  },
  { title: 'WebhookCallBody' },
);
