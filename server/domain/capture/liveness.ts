/**
 * The verdict on a capture: a pure function of the measurements on the frames that the server received. Times are those
 * of the server's clock; nothing that the page claims is used, except that its camera is held by hand.
 *
 * Limits. A face is judged by 68 points, an embedding, a weak attack model and the cues of `attack/`, on a few
 * stills: photographs on paper, replays and mixed people fail; a mask of good quality, a fine screen on which the person
 * answers these very steps in this order, or a face synthesised live into a virtual camera may pass. This is not a
 * certified presentation attack detector, and thresholds come from rendered heads, not from a field trial
 * (`docs/explanation/liveness.md`).
 */
import type { AttackFinding } from '../../contract/console/attack-findings.ts';
import type { LivenessStep, PersonFinding, Tint } from '../../contract/flow.ts';
import { isAttack, judgeAttack, type AttackJudgement } from './attack/score.ts';
import { attackSignals, genuineScoreOf } from './attack/signals.ts';
import { ATTACK_THRESHOLDS, type AttackThresholds } from './attack/weights.ts';
import type { ChallengeMode } from '../companies/verification-config.ts';
import type { FrameEvidence } from './evidence.ts';
import { wasTilted, restingFace, stepStrengths } from './liveness-steps.ts';
import { suggestsDeceit, toPersonFindings, type LivenessFinding } from './liveness-findings.ts';
import { framesForProbe, framesForSecondView, isOnePerson, recognisable } from './liveness-person.ts';
import { pictureFindings, pictureQuality } from './liveness-picture.ts';
import { segmentsOf, type Timeline } from './liveness-segments.ts';
import { stillFindings } from './liveness-stills.ts';

export type CaptureFacts = {
  /** As asked, in order. */
  steps: readonly LivenessStep[];
  /** Clean steps that are enough; all of them where left out. */
  stepsNeeded?: number;
  mode: ChallengeMode;
  /** The installation's; as fitted where left out. */
  attackThresholds?: AttackThresholds | undefined;
  /** As chosen for the neutral frames; null where the challenge has none. */
  tints?: readonly Tint[] | null;
  /** By the server's clock, which held each frame against the window of its request. */
  timeline: Timeline;
  frames: readonly FrameEvidence[];
  /** For each frame, whether its bytes or a near-identical picture came in an earlier capture. */
  seenBefore: readonly boolean[];
  /** The camera is a phone's, held by hand. */
  isHandheld?: boolean;
};

export type LivenessVerdict = {
  passed: boolean;
  findings: LivenessFinding[];
  /** What the person may be told; empty when passed. */
  personFindings: PersonFinding[];
  /** Indices into the challenge's steps. */
  missedSteps: number[];
  /** The frames are not one person. */
  selfMismatch: boolean;
  /** Signs of spoofing rather than of a bad picture. */
  spoofSuspected: boolean;
  /** Indices of the frames whose embeddings to average for recognition; none unless passed. */
  goodFrames: number[];
  /** Indices of the frames that show the face from another side; none unless passed. */
  secondViewFrames: number[];
  /** The attack model's probability of a genuine face, 0 to 1, from the frames that it can judge; 1 where there are none. */
  genuineScore: number;
  /** Of the pictures, 0 to 1. */
  quality: number;
  /** Signals of a picture held up to the camera; null if no neutral frame can be compared. */
  attack: AttackJudgement | null;
};

/** Everything that staff are told of a capture, once each: light that was asked for and not seen is a sign as well. */
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
      missedSteps: facts.stepsNeeded === undefined ? [] : missedSteps,
    }),
  );
  if (isAttack(attack, attackThresholds[mode]) || wasTilted(segments, steps, neutral))
    findings.push('presentation_attack');
  if (mode === 'strict' && tints && !attack.signals.lit) findings.push('page_light_unseen');
  const passed = findings.length === 0;
  const goodFrames = passed ? framesForProbe(segments, neutral) : [];
  const secondViewFrames = passed ? framesForSecondView(segments, neutral) : [];
  return verdict({ findings, missedSteps, genuineScore, quality, goodFrames, secondViewFrames, attack });
}

type Judged = Pick<LivenessVerdict, 'findings' | 'genuineScore' | 'quality'> &
  Partial<Pick<LivenessVerdict, 'missedSteps' | 'goodFrames' | 'secondViewFrames' | 'attack'>>;

const verdict = ({
  findings,
  missedSteps = [],
  goodFrames = [],
  secondViewFrames = [],
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
  secondViewFrames,
  attack,
  ...scores,
});
