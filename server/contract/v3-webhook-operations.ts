/** The operations on webhooks of v3 in the API reference. The schemas are in `v3-webhooks.ts`. */
import type { Operation } from './operations.ts';

const KEY_ERRORS = ['authentication_required', 'invalid_key_type', 'invalid_or_revoked_key'] as const;
const common = { generation: 'v3', key: 'secret' } as const;
const ONE = { 401: KEY_ERRORS, 404: ['webhook_not_found'] } as const;

const ID = 'wh_5f0c2a9e4b7d41c88a3e6d1f09b2c47a';
const MESSAGE_ID = 'msg_0b9d6f4e2c8a47d1b35f7e90a1c2d3e4';
const TIME = '2026-11-26T18:30:00.000Z';
const WEBHOOK = {
  webhook_id: ID,
  url: 'https://shop.example.com/webhooks',
  events: ['run.settled', 'pass.locked'],
  description: '',
  signing: 'shared_secret',
  state: 'working',
  pending: 0,
  created_at: TIME,
} as const;
const SECRET = {
  secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  created_at: TIME,
  ends_at: null,
} as const;
const MESSAGE = {
  message_id: MESSAGE_ID,
  type: 'run.settled',
  status: 'completed',
  attempts: 1,
  created_at: TIME,
  next_attempt_at: null,
  last_attempt_at: TIME,
  completed_at: TIME,
} as const;

export const V3_WEBHOOK_OPERATIONS = {
  createWebhook: {
    ...common,
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'Sends events of your company and partition to an address, signed by Standard Webhooks. Keep the secret of the reply. A test key ' +
      'may use an address of this machine, such as http://localhost:3000/hooks.',
    success: 'The webhook and its secret.',
    reply: { ...WEBHOOK, secrets: [SECRET] },
    example: { url: 'https://shop.example.com/webhooks', events: ['run.settled', 'pass.locked'] },
    errors: { 400: ['invalid_destination'], 401: KEY_ERRORS, 409: ['too_many_webhooks'] },
  },
  listWebhooks: {
    ...common,
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description: 'Those of your company in the partition of the key, oldest first.',
    success: 'The webhooks.',
    reply: { items: [WEBHOOK] },
    errors: { 401: KEY_ERRORS },
  },
  readWebhook: {
    ...common,
    operationId: 'readWebhook',
    summary: 'Read a webhook',
    description: 'With its state, without its secrets.',
    success: 'The webhook.',
    reply: WEBHOOK,
    errors: ONE,
  },
  updateWebhook: {
    ...common,
    operationId: 'updateWebhook',
    summary: 'Change a webhook',
    description:
      'Changes the fields that you send. Waiting messages go to the new address. A receiver that answered 410 or failed for three days ' +
      'is asked again.',
    success: 'The webhook.',
    reply: { ...WEBHOOK, url: 'https://shop.example.com/hooks' },
    example: { url: 'https://shop.example.com/hooks' },
    errors: { 400: ['invalid_destination'], ...ONE },
  },
  deleteWebhook: {
    ...common,
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Its waiting messages are not sent.',
    success: 'The ID of the webhook.',
    reply: { webhook_id: ID },
    errors: ONE,
  },
  rotateWebhookSecret: {
    ...common,
    operationId: 'rotateWebhookSecret',
    summary: 'Replace the secret of a webhook',
    description:
      'From now on calls carry two signatures, the new secret’s and the old one’s, until the overlap ends. So receivers can change over ' +
      'at any time in between.',
    success: 'The webhook and its secrets.',
    reply: {
      ...WEBHOOK,
      secrets: [
        { ...SECRET, secret: 'whsec_Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=' },
        { ...SECRET, ends_at: '2026-11-27T18:30:00.000Z' },
      ],
    },
    optionalBody: true,
    example: { overlap_hours: 24 },
    errors: ONE,
  },
  sendWebhookEvent: {
    ...common,
    operationId: 'sendWebhookEvent',
    summary: 'Send an event with sample data',
    description: 'Queues the event for this webhook, about nobody: `external_id` is `sample`.',
    success: 'The message.',
    reply: { message_id: MESSAGE_ID },
    example: { type: 'run.settled' },
    errors: { ...ONE, 409: ['event_not_sent'] },
  },
  listWebhookMessages: {
    ...common,
    operationId: 'listWebhookMessages',
    summary: 'List messages',
    description:
      'What was sent and what waits, newest first. Messages are kept for 90 days, those of test keys for 30.',
    success: 'One page of messages.',
    reply: { items: [MESSAGE], next_cursor: null },
    errors: ONE,
  },
  readWebhookMessage: {
    ...common,
    operationId: 'readWebhookMessage',
    summary: 'Read a message',
    description: 'With its body and what your receiver answered to each attempt.',
    success: 'The message.',
    reply: {
      ...MESSAGE,
      body: `{"type":"usage.cap_reached","timestamp":"${TIME}","data":{"day":"2026-11-26","cap":66000,"is_test":false}}`,
      type: 'usage.cap_reached',
      tries: [
        {
          attempt: 1,
          http_status: 204,
          response_body: '',
          network_failure: null,
          duration_ms: 84,
          created_at: TIME,
        },
      ],
    },
    errors: { ...ONE, 404: ['webhook_not_found', 'not found'] },
  },
  replayWebhookMessage: {
    ...common,
    operationId: 'replayWebhookMessage',
    summary: 'Send a message again',
    description: 'As a new message with the same body.',
    success: 'The new message.',
    reply: { message_id: 'msg_7a1b2c3d4e5f4061a2b3c4d5e6f70819' },
    errors: { ...ONE, 404: ['webhook_not_found', 'not found'] },
  },
  replayWebhookMessages: {
    ...common,
    operationId: 'replayWebhookMessages',
    summary: 'Send messages again since a time',
    description: 'Failed ones, or all that have ended, oldest first. What waits is sent now.',
    success: 'The new messages.',
    reply: { message_ids: [MESSAGE_ID], waiting: 0 },
    example: { since: '2026-11-25T18:00:00Z' },
    errors: ONE,
  },
} as const satisfies Record<string, Operation>;
