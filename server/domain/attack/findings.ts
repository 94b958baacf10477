/** What of a capture spoke for an attack, for the reviewer who reads it; a closed set. Never told to the person. */
import type { AttackSignal } from './signals.ts';

export const ATTACK_FINDINGS = [
  'looks_like_a_picture',
  'nose_did_not_turn',
  'motion_unlike_a_head',
  'surroundings_moved_along',
  'fine_regular_pattern',
  'straight_rim',
  'eyes_or_mouth_did_not_follow',
  'light_of_another_time',
] as const;
export type AttackFinding = (typeof ATTACK_FINDINGS)[number];

export const FINDING_OF: Record<AttackSignal, AttackFinding> = {
  passive: 'looks_like_a_picture',
  relief: 'nose_did_not_turn',
  headlike: 'motion_unlike_a_head',
  together: 'surroundings_moved_along',
  pattern: 'fine_regular_pattern',
  border: 'straight_rim',
  agreement: 'eyes_or_mouth_did_not_follow',
  otherLight: 'light_of_another_time',
};

/** One sentence each, in the words of somebody who looks at the pictures. */
export const ATTACK_WORDS: Record<AttackFinding, string> = {
  looks_like_a_picture: 'The skin and light of the face look more like a picture of a face than like a face.',
  nose_did_not_turn:
    'When the head turned, the nose hardly moved against the cheeks, as on a sheet of paper.',
  motion_unlike_a_head: 'The parts of the face did not move as those of a turning head do.',
  surroundings_moved_along: 'What is behind the face moved together with the face.',
  fine_regular_pattern:
    'A fine regular pattern lies over the face, as of a screen’s pixels or a print’s dots.',
  straight_rim: 'Straight edges run on both sides of the face, as of a photograph’s or a screen’s rim.',
  eyes_or_mouth_did_not_follow: 'Eyes or mouth did not do what was asked, while the face was moved.',
  light_of_another_time:
    'The colour of the light on the face changed, but not as the page’s did: as in a recording of another check.',
};
