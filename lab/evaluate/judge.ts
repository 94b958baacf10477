/** The service's verdict on each clip. */
import type { FrameEvidence } from '../../server/domain/capture/evidence.ts';
import { ATTACK_THRESHOLDS } from '../../server/domain/capture/attack/weights.ts';
import { judgeAttack } from '../../server/domain/capture/attack/score.ts';
import { type AttackSignals, patternOf } from '../../server/domain/capture/attack/signals.ts';
import { doubtOf, evidenceOf } from '../../server/domain/capture/exchange/judgement.ts';
import { judgeCapture, type LivenessVerdict } from '../../server/domain/capture/liveness.ts';
import { type LivenessFinding, PICTURE_FINDINGS } from '../../server/domain/capture/liveness-findings.ts';
import { cosine, normalisedMean } from '../../server/domain/matching/matching.ts';
import { median } from '../../server/domain/statistics.ts';
import type { Condition } from './plan.ts';
import type { Played } from './play.ts';
import { type Share, shareOf } from './statistics.ts';

/**
 * `review`: doubt remained, and a reviewer decides. `not_acquired`: the pictures could not be judged, or nobody
 * answered in time.
 */
export const RESULTS = ['passed', 'review', 'refused', 'not_acquired'] as const;
export type Result = (typeof RESULTS)[number];

export type AboutClip = {
  name: string;
  /** `genuine`, or the species of attack. */
  kind: string;
  /** The person shown; null for an attack without an identity. */
  identity: string | null;
  labels: Record<string, string>;
  /** Whether the page's light was shown when the clip was made. */
  hasTints: boolean;
};

type Outcome = { result: Result; findings: string[] };

/** A clip under one condition. */
export type Judged = {
  clip: AboutClip;
  condition: Condition;
  outcome: Outcome;
  signals: AttackSignals;
  /** Of the frames at rest; null without a face. */
  template: Float32Array | null;
  /** Passed by the shorter check of the fast lane. */
  isShort?: boolean;
};

/** Findings that say nothing about a person or an attack, only that nothing could be judged. */
const NOTHING_TO_JUDGE: readonly LivenessFinding[] = ['frames_missing', ...PICTURE_FINDINGS, 'no_neutral'];

export function judgePlayed(clip: AboutClip, condition: Condition, played: Played): Judged {
  const { facts } = evidenceOf(played.state);
  // The light of a clip without tints is unknown, so it is neutral.
  const isLightUnknown = condition === 'standard' && !clip.hasTints;
  const verdict =
    played.verdict && isLightUnknown
      ? judgeCapture({ ...facts, tints: null, seenBefore: facts.frames.map(() => false) })
      : played.verdict;
  return {
    clip,
    condition,
    outcome: outcomeOf(verdict, played),
    template: templateOfPlayed(played),
    isShort: played.state.plan.claim !== undefined && verdict?.passed === true,
    signals: verdict?.attack?.signals ?? pictureSignals(facts.frames),
  };
}

/** The face at rest; null without one. */
export function templateOfPlayed({ state }: Pick<Played, 'state'>): Float32Array | null {
  const { facts } = evidenceOf(state);
  return templateOf(facts.frames.filter((_, index) => facts.timeline.frames[index]?.step === null));
}

/** Pictures without steps: only checks on single pictures, none of which strict mode requires. */
export function judgePictures(clip: AboutClip, evidence: readonly FrameEvidence[]): Judged {
  const signals = pictureSignals(evidence);
  const outcome: Outcome = { result: 'passed', findings: [] };
  if (evidence.every(({ face }) => face === null)) {
    outcome.result = 'not_acquired';
    outcome.findings = ['no_face'];
  } else if (judgeAttack(signals).score >= ATTACK_THRESHOLDS.standard) {
    outcome.result = 'refused';
    outcome.findings = ['presentation_attack'];
  }
  return { clip, condition: 'standard', outcome, signals, template: templateOf(evidence) };
}

function outcomeOf(verdict: LivenessVerdict | null, { state, hasRunOut }: Played): Outcome {
  if (!verdict) return { result: 'not_acquired', findings: ['no_verdict'] };
  const { findings } = verdict;
  if (findings.length === 0)
    return { result: doubtOf(state, verdict) !== 'none' ? 'review' : 'passed', findings };
  // The server requested a step or a tint that was not recorded.
  const isUnanswered = (finding: LivenessFinding) => hasRunOut && finding === 'step_missed';
  const isUnjudgeable = findings.every(
    (finding) => NOTHING_TO_JUDGE.includes(finding) || isUnanswered(finding),
  );
  return { result: isUnjudgeable ? 'not_acquired' : 'refused', findings };
}

function templateOf(evidence: readonly FrameEvidence[]): Float32Array | null {
  const embeddings = evidence.flatMap(({ embedding }) => embedding ?? []);
  return embeddings.length > 0 ? normalisedMean(embeddings) : null;
}

function pictureSignals(evidence: readonly FrameEvidence[]): AttackSignals {
  const cues = evidence.flatMap((frame) => frame.cues ?? []);
  const genuine = evidence.flatMap(({ genuineScore }) => genuineScore ?? []);
  const middle = (values: readonly number[]) => (values.length > 0 ? median(values) : null);
  return {
    passive: genuine.length === 0 ? null : 1 - median(genuine),
    relief: null,
    headlike: null,
    together: null,
    pattern: middle(cues.map(patternOf)),
    border: middle(cues.map(({ borders }) => borders.toSorted((a, b) => b - a)[1] ?? 0)),
    rim: middle(cues.map(({ borders }) => Math.min(...borders))),
    agreement: null,
    otherLight: null,
    unlit: null,
    lit: null,
  };
}

// How often two faces of one person do not match and faces of two people do, over all pairs of genuine clips.

export type Recognition = { falseNonMatch: Share; falseMatch: Share };

/** @param threshold cosine from which two faces are one person */
export function recognition(judged: readonly Judged[], threshold: number): Recognition {
  const genuine = judged.filter(({ clip, template }) => clip.kind === 'genuine' && template !== null);
  // A clip is judged under several conditions, but shows its face once.
  const clips = [...Map.groupBy(genuine, ({ clip }) => clip.name).values()].flatMap(([first]) => first ?? []);
  const pairs = clips.flatMap((p, index) =>
    clips.slice(index + 1).flatMap((q) =>
      p.template && q.template
        ? {
            isSame: p.clip.identity === q.clip.identity,
            isMatch: cosine(p.template, q.template) >= threshold,
          }
        : [],
    ),
  );
  const share = (isSame: boolean, isMatch: boolean) => {
    const of = pairs.filter((pair) => pair.isSame === isSame);
    return shareOf(of.filter((pair) => pair.isMatch === isMatch).length, of.length);
  };
  return { falseNonMatch: share(true, false), falseMatch: share(false, true) };
}
