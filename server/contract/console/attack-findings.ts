/** Signs that a capture shows a picture held up to the camera. Only staff see them, never the guest. */
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
