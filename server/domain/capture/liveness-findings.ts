/** The findings of a capture, and which of them a person is told. */
import { PERSON_FINDINGS, type PersonFinding } from '../../contract/flow.ts';

const ABOUT_PICTURE = [
  'no_face',
  'several_faces',
  'too_dark',
  'too_bright',
  'low_contrast',
  'blurred',
  'face_too_small',
] as const;

export const LIVENESS_FINDINGS = [
  'frames_missing',
  ...ABOUT_PICTURE,
  'no_neutral',
  'step_missed',
  'self_mismatch',
  'duplicate_frames',
  'replayed_frames',
  'presentation_attack',
  'page_light_unseen',
] as const;
export type LivenessFinding = (typeof LIVENESS_FINDINGS)[number];

/** Findings about the picture, which guests can fix. */
export const PICTURE_FINDINGS: readonly LivenessFinding[] = ABOUT_PICTURE;

/** Findings that indicate spoofing rather than a bad picture. */
const ABOUT_DECEIT: readonly LivenessFinding[] = [
  'duplicate_frames',
  'replayed_frames',
  'presentation_attack',
];

/** Checks whose names would help an attacker are all reported as `try_again`. */
const REPORTED: Record<LivenessFinding, PersonFinding> = {
  frames_missing: 'try_again',
  no_face: 'no_face',
  several_faces: 'several_faces',
  too_dark: 'too_dark',
  too_bright: 'too_bright',
  low_contrast: 'too_dark',
  blurred: 'blurred',
  face_too_small: 'too_far',
  no_neutral: 'step_missed',
  step_missed: 'step_missed',
  self_mismatch: 'not_one_person',
  duplicate_frames: 'try_again',
  replayed_frames: 'try_again',
  presentation_attack: 'try_again',
  // Helps an honest person: with less ambient light, the page's own light becomes visible.
  page_light_unseen: 'too_bright',
};

/**
 * In the contract's order, each once. A picture problem explains missed steps and mismatches, so it is reported
 * alone. `try_again` adds nothing to a helpful finding, so it is then left out.
 */
export function toPersonFindings(findings: readonly LivenessFinding[]): PersonFinding[] {
  const picture = findings.filter((finding) => PICTURE_FINDINGS.includes(finding));
  const reported = new Set((picture.length > 0 ? picture : findings).map((finding) => REPORTED[finding]));
  if (reported.size > 1) reported.delete('try_again');
  return PERSON_FINDINGS.filter((finding) => reported.has(finding));
}

export const suggestsDeceit = (findings: readonly LivenessFinding[]): boolean =>
  findings.some((finding) => ABOUT_DECEIT.includes(finding));
