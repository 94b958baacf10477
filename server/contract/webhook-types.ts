/** Events of v1 that a receiver can get (contract, "v1 webhooks"). */
export const WEBHOOK_TYPES = [
  'USER_VERIFICATION_COMPLETED',
  'USER_VERIFICATION_REVOKED',
  'USER_VERIFICATION_DENIED',
  'USER_VERIFICATION_DETERMINED_UNFULFILLABLE',
] as const;
export type WebhookType = (typeof WEBHOOK_TYPES)[number];

/** Why a webhook must not be sent to an address (decisions §4.9). */
export type DestinationProblem = 'malformed' | 'credentials' | 'fragment' | 'scheme' | 'address';

export const CALL_STATUSES = ['PENDING', 'COMPLETED', 'FAILED'] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

/** Maximum number of calls, and of events, that an admin list returns (contract, "Limits"). */
export const WEBHOOK_LIST_LIMIT = 50;
