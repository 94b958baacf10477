/**
 * The verdict on a capture: a pure function of the measurements on the frames that the server received. Times
 * are those of the server's clock. Nothing that the page claims is used, except that its camera is hand-held.
 *
 * Limits. A face is judged by 68 points, an embedding, a weak attack model and the cues of `attack/`, on a few
 * stills. Photographs on paper, replays and mixed people fail. A good mask, a fine screen on which a person
 * answers these very steps in this order, or a face synthesised live into a virtual camera may pass. This is
 * not a certified presentation attack detector, and the thresholds come from rendered heads, not from a field
 * trial (`docs/explanation/liveness.md`).
 */
import type { AttackFinding } from '../../contract/console/attack-findings.ts';
import type { LivenessStep, PersonFinding, Tint } from '../../contract/flow.ts';
import { isAttack, judgeAttack, type AttackJudgement } from './attack/score.ts';
import { attackSignals, genuineScoreOf, reflectsPage } from './attack/signals.ts';
import { ATTACK_THRESHOLDS, type AttackThresholds } from './attack/weights.ts';
import type { ChallengeMode } from '../companies/verification-config.ts';
import type { FrameEvidence } from './evidence.ts';
import { wasTilted, restingFace, stepStrengths } from './liveness-steps.ts';
import { suggestsDeceit, toPersonFindings, type LivenessFinding } from './liveness-findings.ts';
import { framesForProbe, framesOfViews, isOnePerson, recognisable } from './liveness-person.ts';
import { pictureFindings, pictureQuality } from './liveness-picture.ts';
import { segmentsOf, type Timeline } from './liveness-segments.ts';
import { stillFindings } from './liveness-stills.ts';

export type CaptureFacts = {
  /** The requested steps, in order. */
  steps: readonly LivenessStep[];
  /** Clean steps that are sufficient. Defaults to all of them. */
  stepsNeeded?: number;
  mode: ChallengeMode;
  /** The installation's threshold. Defaults to the fitted one. */
  attackThresholds?: AttackThresholds | undefined;
  /** Tints of the neutral frames; null if the challenge has none. */
  tints?: readonly Tint[] | null;
  /** By the server's clock, which matched each frame to the time window of its request. */
  timeline: Timeline;
  frames: readonly FrameEvidence[];
  /** For each frame, whether its bytes or a near-identical picture occurred in an earlier capture. */
  seenBefore: readonly boolean[];
  /** The camera is in a hand-held phone. */
  isHandheld?: boolean;
  /** Stills from which the page's light is measured. Defaults to what the full check needs. */
  leastTints?: number | undefined;
};

export type LivenessVerdict = {
  passed: boolean;
  findings: LivenessFinding[];
  /** What the person may be told; empty if passed. */
  personFindings: PersonFinding[];
  /** Indices into the challenge's steps. */
  missedSteps: number[];
  /** The frames do not all show one person. */
  selfMismatch: boolean;
  /** Signs of spoofing rather than of a bad picture. */
  spoofSuspected: boolean;
  /** Indices of the frames whose embeddings are averaged for recognition; empty unless passed. */
  goodFrames: number[];
  /** Indices of the frames of each other view of the face; empty unless passed. */
  viewFrames: number[][];
  /**
   * The attack model's probability of a genuine face, 0 to 1, from the frames that it can judge; 1 if there are
   * none.
   */
  genuineScore: number;
  /** Quality of the pictures, 0 to 1. */
  quality: number;
  /** Signals of a picture held up to the camera; null if no neutral frame can be compared. */
  attack: AttackJudgement | null;
};

/**
 * Everything that staff are told about a capture, each once. Requested light that was not visible is also a
 * sign.
 */
export const observedFindings = ({ findings, attack }: Pick<LivenessVerdict, 'findings' | 'attack'>) => [
  ...new Set<LivenessFinding | AttackFinding>([...findings, ...(attack?.findings ?? [])]),
];

export function judgeCapture(facts: CaptureFacts): LivenessVerdict {
  const { steps, mode, frames, timeline, tints = null, attackThresholds = ATTACK_THRESHOLDS } = facts;
  const quality = pictureQuality(frames);
  const captured = segmentsOf(steps.length, timeline, frames);
  if (!captured) return verdict({ findings: ['frames_missing'], genuineScore: 1, quality });
  const segments = recognisable(captured);
  const genuineScore = genuineScoreOf(segments) ?? 1;

  const findings = [...pictureFindings(captured), ...stillFindings(captured, facts.seenBefore)];
  const neutral = restingFace(segments, steps);
  if (!neutral) return verdict({ findings: [...findings, 'no_neutral'], genuineScore, quality });

  const strengths = stepStrengths(segments, steps, neutral);
  const missedSteps = strengths.flatMap((strength, place) => (strength < 1 ? [place] : []));
  if (steps.length - missedSteps.length < (facts.stepsNeeded ?? steps.length)) findings.push('step_missed');
  if (!isOnePerson(segments, neutral)) findings.push('self_mismatch');
  const attack = judgeAttack(
    attackSignals(segments, steps, neutral, {
      tints,
      isHandheld: facts.isHandheld ?? false,
      leastTints: facts.leastTints,
      missedSteps: facts.stepsNeeded === undefined ? [] : missedSteps,
    }),
  );
  if (isAttack(attack, attackThresholds[mode]) || wasTilted(segments, steps, neutral))
    findings.push('presentation_attack');
  if (mode === 'strict' && tints && !reflectsPage(attack.signals)) findings.push('page_light_unseen');
  const passed = findings.length === 0;
  const goodFrames = passed ? framesForProbe(segments, neutral) : [];
  const viewFrames = passed ? framesOfViews(segments, neutral) : [];
  return verdict({ findings, missedSteps, genuineScore, quality, goodFrames, viewFrames, attack });
}

type Judged = Pick<LivenessVerdict, 'findings' | 'genuineScore' | 'quality'> &
  Partial<Pick<LivenessVerdict, 'missedSteps' | 'goodFrames' | 'viewFrames' | 'attack'>>;

const verdict = ({
  findings,
  missedSteps = [],
  goodFrames = [],
  viewFrames = [],
  attack = null,
  ...scores
}: Judged): LivenessVerdict => ({
  passed: findings.length === 0,
  findings,
  personFindings: toPersonFindings(findings),
  missedSteps,
  selfMismatch: findings.includes('self_mismatch'),
  spoofSuspected: suggestsDeceit(findings),
  goodFrames,
  viewFrames,
  attack,
  ...scores,
});
