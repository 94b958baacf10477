/** Webhooks of v3 on the wire: where events go, what was sent, and the events themselves. */
import { Type, type Static, type TSchema } from 'typebox';
import { nullable, oneOf } from './schemas.ts';
import { MAX_ADDRESS_CHARS } from './text-bounds.ts';
import { SIGNINGS, V3_EVENTS, type V3Event } from './webhook-types.ts';

export type { V3Event } from './webhook-types.ts';

const MAX_DESCRIPTION_CHARS = 200;
/** Of a company and partition: each event is written once for each of them. */
export const MAX_WEBHOOKS = 20;
export const CALL_STATES = ['pending', 'completed', 'failed'] as const;

const events = (description: string) =>
  Type.Array(oneOf(V3_EVENTS), { minItems: 1, maxItems: V3_EVENTS.length, description });
const url = Type.String({
  minLength: 1,
  maxLength: MAX_ADDRESS_CHARS,
  description: 'Where events are sent. https.',
});
const description = Type.String({ maxLength: MAX_DESCRIPTION_CHARS, description: 'A note of your own.' });

export const WebhookCreate = Type.Object(
  {
    url,
    events: Type.Optional(events('Events to send; all of them by default.')),
    description: Type.Optional(description),
    signing: Type.Optional(
      oneOf(SIGNINGS, {
        description:
          '`shared_secret` (the default) signs with a secret that you keep. `key_pair` signs with Ed25519, and you keep only ' +
          'the public key.',
      }),
    ),
  },
  { title: 'WebhookCreate' },
);
export type WebhookCreate = Static<typeof WebhookCreate>;

export const WebhookUpdate = Type.Object(
  {
    url: Type.Optional(url),
    events: Type.Optional(events('Events to send.')),
    description: Type.Optional(description),
  },
  { title: 'WebhookUpdate' },
);
export type WebhookUpdate = Static<typeof WebhookUpdate>;

const WEBHOOK = {
  webhook_id: Type.String({ description: 'ID of the webhook.' }),
  url: Type.String({ description: 'Where events are sent.' }),
  events: Type.Array(oneOf(V3_EVENTS), { description: 'Events that are sent.' }),
  description: Type.String({ description: 'A note of your own.' }),
  signing: oneOf(SIGNINGS, { description: 'How calls are signed.' }),
  state: oneOf(['working', 'failing', 'paused', 'gone'], {
    description:
      '`failing` since a call failed, `paused` after three days of it or by an operator, `gone` after a 410. Saving the ' +
      'webhook resumes it.',
  }),
  pending: Type.Integer({ description: 'Calls that wait for its receiver, of all webhooks there.' }),
  created_at: Type.String({ format: 'date-time', description: 'When it was created.' }),
};
export const Webhook = Type.Object(WEBHOOK, { title: 'Webhook' });
export type Webhook = Static<typeof Webhook>;

const SECRETS = {
  secrets: Type.Array(
    Type.Object({
      secret: Type.String({
        description: '`whsec_…` of a shared secret, `whpk_…` of a key pair: what your receiver checks with.',
      }),
      created_at: Type.String({ format: 'date-time', description: 'From when it signs.' }),
      ends_at: nullable('Until when it signs beside the newest; null for the newest.'),
    }),
    { description: 'Those that sign now, the newest first.' },
  ),
};
export const WebhookWithSecrets = Type.Object({ ...WEBHOOK, ...SECRETS }, { title: 'WebhookWithSecrets' });
export type WebhookWithSecrets = Static<typeof WebhookWithSecrets>;

export const WebhookList = Type.Object(
  { items: Type.Array(Webhook, { description: 'Oldest first.' }) },
  { title: 'WebhookList' },
);
export const WebhookDeleted = Type.Object(
  { webhook_id: Type.String({ description: 'The one that was deleted.' }) },
  { title: 'WebhookDeleted' },
);
export const WebhookParams = Type.Object({ webhook_id: Type.String({ description: 'ID of the webhook.' }) });
export const SecretRotate = Type.Object(
  {
    overlap_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 168,
        description: 'How long calls carry the signature of the old secret, too. 24 by default.',
      }),
    ),
  },
  { title: 'SecretRotate' },
);

export const CallParams = Type.Object({
  webhook_id: Type.String({ description: 'ID of the webhook.' }),
  message_id: Type.String({ description: 'ID of the message: the header `webhook-id`.' }),
});
export const CallQuery = Type.Object({
  status: Type.Optional(oneOf(CALL_STATES, { description: 'Only messages in this state.' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 25, description: 'Messages per page.' }),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: '`next_cursor` of the page before.' })),
});
const CALL = {
  message_id: Type.String({ description: 'The header `webhook-id`, the same over all attempts.' }),
  type: oneOf(V3_EVENTS, { description: 'The event.' }),
  status: oneOf(CALL_STATES, { description: '`failed` after 16 attempts, or if the webhook was removed.' }),
  attempts: Type.Integer({ description: 'Attempts so far.' }),
  created_at: Type.String({ format: 'date-time', description: 'When the event happened.' }),
  next_attempt_at: nullable('When it is sent next.'),
  last_attempt_at: nullable('When the last attempt ended.'),
  completed_at: nullable('When your receiver took it.'),
};
export const WebhookMessages = Type.Object(
  {
    items: Type.Array(Type.Object(CALL), { description: 'Newest first.' }),
    next_cursor: nullable('Cursor of the next page.'),
  },
  { title: 'WebhookMessages' },
);
export type WebhookMessages = Static<typeof WebhookMessages>;
export const WebhookMessage = Type.Object(
  {
    ...CALL,
    body: Type.String({ description: 'The bytes that are signed and sent.' }),
    tries: Type.Array(
      Type.Object({
        attempt: Type.Integer({ description: 'Number of the attempt.' }),
        http_status: Type.Unsafe<number | null>({
          type: ['integer', 'null'],
          description: 'What your receiver answered.',
        }),
        response_body: nullable('The start of its answer.'),
        network_failure: nullable('Why there was no answer.'),
        duration_ms: Type.Integer({ description: 'How long it took.' }),
        created_at: Type.String({ format: 'date-time', description: 'When the attempt ended.' }),
      }),
      { description: 'Newest first.' },
    ),
  },
  { title: 'WebhookMessage' },
);
export type WebhookMessage = Static<typeof WebhookMessage>;

export const ReplayRequest = Type.Object(
  {
    since: Type.String({
      format: 'date-time',
      maxLength: 40,
      description: 'Messages from this time on, in ISO 8601 with an offset.',
    }),
    include_completed: Type.Optional(
      Type.Boolean({ description: 'Also those that your receiver took. False by default.' }),
    ),
  },
  { title: 'WebhookReplay' },
);
export const ReplayResult = Type.Object(
  {
    message_ids: Type.Array(Type.String(), {
      description: 'The new messages, at most 500. If there are 500, ask again from the time of the last.',
    }),
    waiting: Type.Integer({ description: 'Waiting messages that are sent now instead of later.' }),
  },
  { title: 'WebhookReplayResult' },
);
export type ReplayResult = Static<typeof ReplayResult>;
export const EventRequest = Type.Object(
  { type: oneOf(V3_EVENTS, { description: 'The event to send, with sample data.' }) },
  { title: 'WebhookTestEvent' },
);
export const MessageQueued = Type.Object(
  { message_id: Type.String({ description: 'The header `webhook-id` of the message.' }) },
  { title: 'WebhookMessageQueued' },
);

// The events. A body is `{type, timestamp, data}`.

const sessionId = nullable('The session; null for a test token, which has none.');
const externalId = nullable('Your own ID for the run.');
const verificationId = Type.String({ description: 'The verification.' });
const caseId = Type.String({ description: 'The case.' });
const personIds = {
  external_ids: Type.Array(Type.String(), { description: 'Your own IDs of the person, the first ten.' }),
  more_external_ids: Type.Integer({ description: 'How many more there are.' }),
};
const lock = {
  session_id: sessionId,
  verification_id: verificationId,
  external_id: externalId,
  passes: Type.Integer({ description: 'How many passes of the person on the verification changed.' }),
};
export const EVENT_DATA = {
  'run.settled': Type.Object({
    session_id: sessionId,
    verification_id: verificationId,
    external_id: externalId,
    status: oneOf(['approved', 'denied']),
    verified: Type.Boolean({ description: 'Grant access based on it, as on a confirmation’s.' }),
    reasons: Type.Array(Type.String()),
    declined: Type.Boolean(),
    group: nullable(),
    settled_at: Type.String({ format: 'date-time' }),
    is_test: Type.Boolean(),
  }),
  'run.review_opened': Type.Object({
    session_id: Type.String(),
    case_id: caseId,
    verification_id: verificationId,
    external_id: externalId,
    reasons: Type.Array(Type.String()),
    group: nullable(),
  }),
  'review.decided': Type.Object({
    session_id: Type.String(),
    case_id: caseId,
    verification_id: verificationId,
    external_id: externalId,
    decision: oneOf(['same_person', 'different_people', 'same_person_allow']),
  }),
  'pass.locked': Type.Object(lock),
  'pass.unlocked': Type.Object(lock),
  'person.disconnected': Type.Object(personIds),
  'person.erased': Type.Object(personIds),
  'usage.cap_reached': Type.Object({
    day: Type.String({ format: 'date', description: 'The UTC day.' }),
    cap: Type.Integer({ description: 'Checks that may settle in a day.' }),
    is_test: Type.Boolean(),
  }),
} as const satisfies Record<V3Event, TSchema>;
export type EventData = { [E in V3Event]: Static<(typeof EVENT_DATA)[E]> };
