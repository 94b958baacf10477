import type { Reason } from '../../domain/settling/reasons.ts';

/** What each reason means, for integrators. */
export const REASON_MEANINGS: Readonly<Record<Reason, string>> = {
  identity_mismatch: 'The email address or phone number of the run belongs to another person.',
  external_identity_mismatch: 'The `external_id` of the run belongs to another person.',
  pass_locked: 'The person’s pass on this verification was marked as used.',
  limit_reached: 'The person has reached the verification’s limit.',
  collision: 'The person already has an approved pass in the group or in an included one.',
  collision_company: 'The person already has an approved pass with your company, and the run had no group.',
  duplicate_account: 'The person already has a different `external_id`.',
  linked_denial: 'The person was denied before, for spoofing or by a reviewer.',
  capture_untrusted:
    'The pictures came from a browser, and the verification asks for a reviewer then (`capture.trust`).',
  capture_doubtful:
    'The capture passed, but possible signs of a photo, screen or recording remained. A reviewer decides.',
  face_self_mismatch: 'The pictures of the run show different people.',
  liveness_failed: 'No attempt showed a live person.',
  spoof_suspected: 'A possible photo, screen or mask was shown.',
  usage_cap_exceeded: 'The daily cap of runs is reached. It resets at 00:00 UTC.',
  declined: 'The person chose not to be checked.',
  reviewer_denied: 'A reviewer decided that this is the same person.',
  manual_override: 'An operator set the verdict.',
};
