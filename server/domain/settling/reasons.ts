/** Reasons of a result, in the order in which they are listed (decisions §3.11, an open set on the wire). */
export const REASONS = [
  'identity_mismatch',
  'external_identity_mismatch',
  'blocked',
  'pass_locked',
  'limit_reached',
  'collision',
  'collision_company',
  'duplicate_account',
  'linked_denial',
  'capture_untrusted',
  'capture_doubtful',
  'face_self_mismatch',
  'liveness_failed',
  'spoof_suspected',
  'usage_cap_exceeded',
  'not_recognised',
  'declined',
  'reviewer_denied',
  'manual_override',
] as const;
export type Reason = (typeof REASONS)[number];

export function isReason(value: string): value is Reason {
  return (REASONS as readonly string[]).includes(value);
}
