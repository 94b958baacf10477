/** Which finding each signal speaks as. The words are the console's. */
import type { AttackFinding } from '../../../contract/console/attack-findings.ts';
import type { AttackSignal } from './signals.ts';

export const FINDING_OF: Record<AttackSignal, AttackFinding> = {
  passive: 'looks_like_a_picture',
  relief: 'nose_did_not_turn',
  headlike: 'motion_unlike_a_head',
  together: 'surroundings_moved_along',
  pattern: 'fine_regular_pattern',
  border: 'straight_rim',
  agreement: 'eyes_or_mouth_did_not_follow',
  otherLight: 'light_of_another_time',
  unlit: 'page_light_unseen',
};
