/** The calls that the service makes to your server, as the document lists them. */
import { WebhookCallBody } from '../../contract/v1-webhooks.ts';
import { V3_EVENTS, type V3Event, WEBHOOK_TYPES, type WebhookType } from '../../contract/webhook-types.ts';
import { EVENT_DATA } from '../../contract/v3-webhooks.ts';
import { sampleOf } from '../../services/webhooks/v3-messages.ts';

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

const V1_WEBHOOKS = Object.fromEntries(
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

const V3_SENT_WHEN: Readonly<Record<V3Event, string>> = {
  'run.settled':
    'A check has a verdict, or staff replaced it. Of one session, the event with the latest `timestamp` is true.',
  'run.review_opened': 'A check waits for a reviewer.',
  'review.decided': 'The decision of a reviewer took effect. The verdict is in `run.settled`.',
  'pass.locked': 'The passes of a person on a verification were locked.',
  'pass.unlocked': 'The passes of a person on a verification were unlocked.',
  'person.disconnected': 'A person withdrew their approvals on their own page.',
  'person.erased': 'The data of a person was erased.',
  'usage.cap_reached': 'The last check that the daily cap allows has settled.',
};

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});
const STANDARD_HEADERS = [
  header('webhook-id', 'The same over all attempts.', 'msg_0b9d6f4e2c8a47d1b35f7e90a1c2d3e4'),
  header('webhook-timestamp', 'Seconds since 1970, of this attempt.', '1764100800'),
  header(
    'webhook-signature',
    'Signatures by Standard Webhooks, separated by spaces: `v1,` of a shared secret, `v1a,` of a key pair.',
    'v1,QOeIMu1zI/8/KxLXzo+piSMwng6/nBmr8EvmnYxsxPY=',
  ),
  { ...SIGNATURE, required: false, description: `${SIGNATURE.description} Not with a key pair.` },
];

const TIME = '2026-11-26T18:30:00.000Z';
const SAMPLES = sampleOf(Date.parse(TIME), { partition: 'live' });

const V3_WEBHOOKS = Object.fromEntries(
  V3_EVENTS.map((type) => [
    type,
    {
      post: {
        tags: ['v3'],
        operationId: `on_${type.replace('.', '_')}`,
        summary: type,
        description: V3_SENT_WHEN[type],
        security: [],
        parameters: STANDARD_HEADERS,
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['type', 'timestamp', 'data'],
                properties: {
                  type: { type: 'string', enum: [type] },
                  timestamp: { type: 'string', format: 'date-time' },
                  data: EVENT_DATA[type],
                },
              },
              example: { type, timestamp: TIME, data: SAMPLES[type] },
            },
          },
        },
        responses: {
          '2XX': { description: 'Delivered. Answer within 15 seconds.' },
          '410': { description: 'Stops all later calls of this webhook until you save it again.' },
          default: { description: 'Tried again, 16 times in all. `Retry-After` is respected.' },
        },
      },
    },
  ]),
);

export const WEBHOOKS = { ...V3_WEBHOOKS, ...V1_WEBHOOKS };
