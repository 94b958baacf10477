/** Events of v1 that a receiver can get (contract, "v1 webhooks"). */
export const WEBHOOK_TYPES = [
  'USER_VERIFICATION_COMPLETED',
  'USER_VERIFICATION_REVOKED',
  'USER_VERIFICATION_DENIED',
  'USER_VERIFICATION_DETERMINED_UNFULFILLABLE',
] as const;
export type WebhookType = (typeof WEBHOOK_TYPES)[number];

/** Events of v3. */
export const V3_EVENTS = [
  'run.settled',
  'run.review_opened',
  'review.decided',
  'pass.locked',
  'pass.unlocked',
  'person.disconnected',
  'person.erased',
  'usage.cap_reached',
] as const;
export type V3Event = (typeof V3_EVENTS)[number];

/** Of any generation. */
export type WebhookEventType = WebhookType | V3Event;

export const isV3Event = (type: WebhookEventType): type is V3Event =>
  V3_EVENTS.some((known) => known === type);

/** How calls of v3 are signed: with a secret that both sides have, or with a key whose public half the receiver has. */
export const SIGNINGS = ['shared_secret', 'key_pair'] as const;
export type Signing = (typeof SIGNINGS)[number];

/** Why a webhook must not be sent to an address (decisions §4.9). */
export type DestinationProblem = 'malformed' | 'credentials' | 'fragment' | 'scheme' | 'address';

export const CALL_STATUSES = ['PENDING', 'COMPLETED', 'FAILED'] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

/** Maximum number of calls, and of events, that an admin list returns (contract, "Limits"). */
export const WEBHOOK_LIST_LIMIT = 50;
