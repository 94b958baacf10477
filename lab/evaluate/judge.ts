/** Each clip as the service would judge it. */
import type { ChallengeMode } from '../../server/domain/companies/verification-config.ts';
import type { FrameEvidence } from '../../server/domain/capture/evidence.ts';
import { ATTACK_THRESHOLDS } from '../../server/domain/capture/attack/weights.ts';
import { judgeAttack } from '../../server/domain/capture/attack/score.ts';
import { patternOf, type AttackSignals } from '../../server/domain/capture/attack/signals.ts';
import { evidenceOf } from '../../server/domain/capture/live/judgement.ts';
import { judgeCapture, type LivenessVerdict } from '../../server/domain/capture/liveness.ts';
import { PICTURE_FINDINGS, type LivenessFinding } from '../../server/domain/capture/liveness-findings.ts';
import { normalisedMean } from '../../server/domain/matching/matching.ts';
import { median } from '../../server/domain/statistics.ts';
import type { Played } from './play.ts';

/**
 * What is reported side by side: both modes, and the standard mode where none of the page's light is seen, as in sunlight.
 * An attacker may bring that about.
 */
export const CONDITIONS = ['standard', 'strict', 'standard_unlit'] as const;
export type Condition = (typeof CONDITIONS)[number];

export const modeOf = (condition: Condition): ChallengeMode =>
  condition === 'strict' ? 'strict' : 'standard';

/**
 * `review`: doubt was left, and a reviewer decides. `not_acquired`: the pictures were no basis for a judgement, or nobody
 * answered in time.
 */
export const RESULTS = ['passed', 'review', 'refused', 'not_acquired'] as const;
export type Result = (typeof RESULTS)[number];

export type AboutClip = {
  name: string;
  /** `genuine`, or the species of attack. */
  kind: string;
  identity: string;
  mode: ChallengeMode;
  labels: Record<string, string>;
  /** Whether the page's light was shown when the clip was made. */
  hasTints: boolean;
};

export type Outcome = { result: Result; findings: string[]; score: number };

export type Judged = {
  clip: AboutClip;
  /** Under the conditions that the clip can be judged in. */
  outcomes: Partial<Record<Condition, Outcome>>;
  signals: AttackSignals;
  /** Of the frames at rest; null without a face. */
  template: Float32Array | null;
  steps: number;
};

/** Findings that say nothing about a person or an attack, only that there was nothing to judge. */
const NOTHING_TO_JUDGE: readonly LivenessFinding[] = ['frames_missing', ...PICTURE_FINDINGS, 'no_neutral'];

export function judgePlayed(clip: AboutClip, { verdict, isDoubtful, state, steps }: Played): Judged {
  const { facts } = evidenceOf(state);
  const resting = facts.frames.filter((_, index) => facts.timeline.frames[index]?.step === null);
  const judged = (tints: typeof facts.tints): LivenessVerdict =>
    judgeCapture({ ...facts, tints, seenBefore: facts.frames.map(() => false) });
  const present = verdict && (clip.hasTints ? verdict : judged(null));
  const outcomes: Judged['outcomes'] = {};
  if (clip.mode === 'strict') {
    if (clip.hasTints) outcomes.strict = outcomeOf(present, isDoubtful);
  } else {
    outcomes.standard = outcomeOf(present, isDoubtful);
    outcomes.standard_unlit = outcomeOf(verdict && judged([]), isDoubtful);
  }
  return {
    clip,
    outcomes,
    steps,
    template: templateOf(resting),
    signals: present?.attack?.signals ?? pictureSignals(facts.frames),
  };
}

/** Pictures without steps: only what single pictures show, which is nothing that strict mode asks for. */
export function judgePictures(clip: AboutClip, evidence: readonly FrameEvidence[]): Judged {
  const signals = pictureSignals(evidence);
  const { score } = judgeAttack(signals);
  const outcome: Outcome = { result: 'passed', findings: [], score };
  if (evidence.every(({ face }) => face === null)) {
    outcome.result = 'not_acquired';
    outcome.findings = ['no_face'];
  } else if (score >= ATTACK_THRESHOLDS.standard) {
    outcome.result = 'refused';
    outcome.findings = ['presentation_attack'];
  }
  const outcomes = clip.mode === 'standard' ? { standard: outcome } : {};
  return { clip, outcomes, signals, template: templateOf(evidence), steps: 0 };
}

function outcomeOf(verdict: LivenessVerdict | null, isDoubtful: boolean): Outcome {
  if (!verdict) return { result: 'not_acquired', findings: ['no_verdict'], score: 1 };
  const { findings, attack } = verdict;
  const score = attack?.score ?? 1;
  if (findings.length === 0) return { result: isDoubtful ? 'review' : 'passed', findings: [], score };
  const isUnjudgeable = findings.every((finding) => NOTHING_TO_JUDGE.includes(finding));
  return { result: isUnjudgeable ? 'not_acquired' : 'refused', findings, score };
}

function templateOf(evidence: readonly FrameEvidence[]): Float32Array | null {
  const embeddings = evidence.flatMap(({ embedding }) => embedding ?? []);
  return embeddings.length > 0 ? normalisedMean(embeddings) : null;
}

function pictureSignals(evidence: readonly FrameEvidence[]): AttackSignals {
  const cues = evidence.flatMap((frame) => frame.cues ?? []);
  const middle = (values: readonly number[]) => (values.length > 0 ? median(values) : null);
  return {
    passive: evidence.length === 0 ? null : 1 - median(evidence.map(({ genuineScore }) => genuineScore)),
    relief: null,
    headlike: null,
    together: null,
    pattern: middle(cues.map(patternOf)),
    border: middle(cues.map(({ borders }) => borders.toSorted((a, b) => b - a)[1] ?? 0)),
    agreement: null,
    otherLight: null,
    unlit: null,
    lit: null,
  };
}
