/** The calls that the service makes to your server, as the document lists them. */
import { WebhookCallBody } from '../../contract/v1-webhooks.ts';
import { WEBHOOK_TYPES, type WebhookType } from '../../contract/webhook-types.ts';

const SENT_WHEN: Readonly<Record<WebhookType, string>> = {
  USER_VERIFICATION_COMPLETED: 'The person was approved, also without a new capture.',
  USER_VERIFICATION_REVOKED: 'The person disconnected.',
  USER_VERIFICATION_DENIED: 'A reviewer or an operator denied the person, or an operator erased them.',
  USER_VERIFICATION_DETERMINED_UNFULFILLABLE:
    'The check ended in any other way: denied by the rules, declined, attempts used up, daily cap, expired, invite revoked.',
};

const SIGNATURE = {
  name: 'X-Hub-Signature-256',
  in: 'header',
  required: true,
  description: '`sha256=` and the HMAC-SHA256 of the raw body with the shared secret, in hexadecimal.',
  schema: { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
  example: `sha256=${'0123456789abcdef'.repeat(4)}`,
};

export const WEBHOOKS = Object.fromEntries(
  WEBHOOK_TYPES.map((type) => [
    type,
    {
      post: {
        tags: ['v1'],
        operationId: `on_${type.toLowerCase()}`,
        summary: type,
        description: SENT_WHEN[type],
        security: [],
        parameters: [SIGNATURE],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: WebhookCallBody,
              example: {
                transaction_id: 'ewh:2f6a1c9e-7d0b-4b55-9c61-3f2f8f1f7a10',
                user_id: 'bcu_4mX9tQ2Lk8',
                reference_user_id: 'guest-1042',
                type,
                payload: {},
                created_at: '2026-11-26T18:30:00.000Z',
              },
            },
          },
        },
        responses: {
          '2XX': { description: 'Delivered. Answer within 15 seconds.' },
          '410': { description: 'Stops all later calls of this type until you save the destination again.' },
          default: { description: 'Tried again, 16 times in all. `Retry-After` is respected.' },
        },
      },
    },
  ]),
);
