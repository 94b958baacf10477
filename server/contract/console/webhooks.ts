/**
 * Webhooks, for admins: `/console/api/webhooks`. Settings belong to the key family of an API-KEY and survive every
 * roll.
 */
import { Type, type Static } from 'typebox';
import { WebhookCallItem, WebhookEventItem } from '../v1-webhooks.ts';
import { Webhook, WebhookUpdate } from '../v3-webhooks.ts';
import { CALL_STATUSES, V3_EVENTS, WEBHOOK_TYPES } from '../webhook-types.ts';
import { pageOf, PageQuery, ReasonText, Version, withVersion } from './common.ts';
import { nullable, oneOf } from '../schemas.ts';
import { MAX_ADDRESS_CHARS } from '../text-bounds.ts';
import { OVERLAPS } from './keys.ts';

const RECEIVER_STATES = ['working', 'failing', 'paused', 'gone'] as const;

/** `GET /webhooks/lines`: API-KEY families, newest first. */
export const WebhookLine = Type.Object({
  lineage_id: Type.String(),
  displays: Type.Array(Type.String(), {
    description: 'Its active keys, newest first; the last one if none is active.',
  }),
  name: nullable('What its keys are for.'),
  works: Type.Boolean({ description: 'At least one key of the family is active.' }),
  destinations: Type.Integer({ description: 'Kinds of event that are configured.' }),
});
export type WebhookLine = Static<typeof WebhookLine>;
export const WebhookLinePage = pageOf(WebhookLine);
export type WebhookLinePage = Static<typeof WebhookLinePage>;

/** A destination for webhooks of the company and partition. */
export const WebhookReceiver = Type.Object({
  origin: Type.String(),
  state: oneOf(RECEIVER_STATES),
  failing_since: nullable(),
  last_failure_at: nullable(),
  last_success_at: nullable(),
  paused_at: nullable(),
  pending: Type.Integer({ description: 'Calls that are waiting or being sent.' }),
});
export type WebhookReceiver = Static<typeof WebhookReceiver>;

export const WebhookDestinationItem = Type.Object({
  webhook_type: oneOf(WEBHOOK_TYPES),
  destination_url: Type.String(),
  version: Version,
  created_at: Type.String(),
  changed_at: Type.String(),
  disabled_at: nullable('Nothing is sent until it is saved again.'),
  disabled_reason: nullable(),
  receiver: Type.Union([WebhookReceiver, Type.Null()], { description: 'Null before the first call.' }),
});
export type WebhookDestinationItem = Static<typeof WebhookDestinationItem>;

/** Without the secret itself, which `POST …/secret/show` returns. */
const WebhookSecretItem = Type.Object({
  version: Type.Integer(),
  created_at: Type.String(),
  ends_at: nullable('When receivers can stop accepting it; null for the signing secret.'),
});

/** `GET /webhooks/lines/{lineage_id}`. */
export const WebhookLineDetail = Type.Object({
  line: WebhookLine,
  destinations: Type.Array(WebhookDestinationItem),
  unset_version: Type.String({ description: '`version` of a type of event without a destination.' }),
  secrets: Type.Array(WebhookSecretItem, {
    description: 'The signing secret first; empty before the first destination.',
  }),
});
export type WebhookLineDetail = Static<typeof WebhookLineDetail>;

/** `GET /webhooks/v3`: webhooks of v3, oldest first. */
export const V3WebhookItem = Type.Object({
  ...Webhook.properties,
  version: Version,
  secrets: Type.Array(WebhookSecretItem),
});
export type V3WebhookItem = Static<typeof V3WebhookItem>;
export const V3WebhookItems = Type.Object({ items: Type.Array(V3WebhookItem) });
export const V3WebhookSave = Type.Object({ ...WebhookUpdate.properties, ...withVersion });

/** `PUT …/destinations/{webhook_type}`. */
export const WebhookDestinationSave = Type.Object({
  destination_url: Type.String({ minLength: 1, maxLength: MAX_ADDRESS_CHARS }),
  ...withVersion,
});
export const ReceiverChange = Type.Object({
  origin: Type.String({ maxLength: MAX_ADDRESS_CHARS }),
  reason: ReasonText,
});

/** `POST …/secret/show` and `…/secret/rotate`. */
export const WebhookSecretRotate = Type.Object({ overlap: oneOf(OVERLAPS), reason: ReasonText });
export const WebhookSecrets = Type.Object({
  items: Type.Array(Type.Object({ ...WebhookSecretItem.properties, secret: Type.String() })),
});
export type WebhookSecrets = Static<typeof WebhookSecrets>;

/** `GET …/calls`: newest first. */
export const WebhookCallQuery = {
  status: Type.Optional(oneOf(CALL_STATUSES)),
  ...PageQuery,
} as const;
export const ConsoleCall = Type.Object({
  ...WebhookCallItem.properties,
  webhook_type: oneOf([...WEBHOOK_TYPES, ...V3_EVENTS]),
  destination_url: Type.String(),
  user: Type.String({ description: 'Your ID of the user that the call is about.' }),
});
export type ConsoleCall = Static<typeof ConsoleCall>;
export const ConsoleCallPage = pageOf(ConsoleCall);

/** `GET …/calls/{transaction_id}`. */
export const ConsoleCallDetail = Type.Object({
  call: ConsoleCall,
  session: Type.Union([Type.Object({ session_id: Type.String(), settled_at: nullable() }), Type.Null()], {
    description: 'The session whose result the call reports; null if there is none, as for a test event.',
  }),
  body: Type.String({ description: 'The bytes that are signed and sent.' }),
  attempts: Type.Array(Type.Object({ ...WebhookEventItem.properties, destination_url: Type.String() }), {
    description: 'Newest first.',
  }),
});
export type ConsoleCallDetail = Static<typeof ConsoleCallDetail>;

/** Reply of `POST …/calls/{transaction_id}/rerun` and `POST …/destinations/{webhook_type}/test`. */
export const WebhookQueued = Type.Object({ transaction_id: Type.String() });

/** `POST …/rerun-failed`. */
export const RerunFailed = Type.Object({ since: Type.String({ maxLength: 40, description: 'ISO 8601.' }) });
export const RerunFailedResult = Type.Object({
  calls: Type.Integer({
    description: 'Number of failed calls sent again, at most 500 at a time, and of waiting ones tried now.',
  }),
});

/** `GET /webhooks/receivers`. */
export const WebhookReceivers = Type.Object({ items: Type.Array(WebhookReceiver) });
