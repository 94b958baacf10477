/** What of a capture spoke for a picture held before the camera; told to staff alone, never to the person. */
export const ATTACK_FINDINGS = [
  'looks_like_a_picture',
  'nose_did_not_turn',
  'motion_unlike_a_head',
  'surroundings_moved_along',
  'fine_regular_pattern',
  'straight_rim',
  'eyes_or_mouth_did_not_follow',
  'light_of_another_time',
  'page_light_unseen',
] as const;
export type AttackFinding = (typeof ATTACK_FINDINGS)[number];
