/** Each clip as the service would judge it, in both modes. */
import { readFile } from 'node:fs/promises';
import type { LivenessStep, Timeline, Tint } from '../../server/contract/flow.ts';
import type { ChallengeMode } from '../../server/domain/capture/challenge.ts';
import type { FrameEvidence } from '../../server/domain/capture/evidence.ts';
import { ATTACK_THRESHOLDS } from '../../server/domain/capture/attack/weights.ts';
import { judgeAttack } from '../../server/domain/capture/attack/score.ts';
import type { AttackSignals } from '../../server/domain/capture/attack/signals.ts';
import { judgeCapture, type LivenessVerdict } from '../../server/domain/capture/liveness.ts';
import { normalisedMean } from '../../server/domain/matching/matching.ts';
import { median } from '../../server/domain/statistics.ts';
import type { EvidenceStore } from './evidence.ts';
import type { FoundClip } from './folder.ts';

/**
 * What is reported beside each other; the last as if no page had shown its light, which whoever attacks may choose, and as
 * in the sun. Strict mode passes nobody then.
 */
export const CONDITIONS = ['standard', 'strict', 'standard_unlit'] as const;
export type Condition = (typeof CONDITIONS)[number];

export const modeOf = (condition: Condition): ChallengeMode =>
  condition === 'strict' ? 'strict' : 'standard';

export type Judged = {
  clip: FoundClip;
  verdicts: Record<Condition, Pick<LivenessVerdict, 'passed' | 'findings'> & { score: number }>;
  signals: AttackSignals;
  /** Of the frames at rest; null without a face. */
  template: Float32Array | null;
};

const UPLOAD_MS = 500;
const STANDARD_STEPS = 3;

export async function judgeClip(clip: FoundClip, store: EvidenceStore): Promise<Judged> {
  const evidence = await store.of(await Promise.all(clip.frames.map((path) => readFile(path))));
  const resting = clip.timeline
    ? evidence.filter((_, index) => clip.timeline?.frames[index]?.step === null)
    : evidence;
  const embeddings = resting.flatMap(({ embedding }) => embedding ?? []);
  const template = embeddings.length > 0 ? normalisedMean(embeddings) : null;
  if (!clip.timeline || clip.steps.length === 0) return { clip, template, ...withoutSteps(evidence) };
  const tints = clip.tints.length > 0 ? clip.tints : null;
  const strict = verdictOf({ ...clip, tints, timeline: clip.timeline }, evidence, 'strict');
  const short = firstSteps(clip.steps, clip.timeline, evidence);
  const standard = verdictOf({ ...short, tints }, short.evidence, 'standard');
  const unlit = verdictOf({ ...short, tints: [] }, short.evidence, 'standard');
  const scored = (verdict: LivenessVerdict) => ({
    passed: verdict.passed,
    findings: verdict.findings,
    score: verdict.attack?.score ?? 1,
  });
  return {
    clip,
    template,
    verdicts: { standard: scored(standard), strict: scored(strict), standard_unlit: scored(unlit) },
    signals: strict.attack?.signals ?? pictureSignals(evidence),
  };
}

/** `tints` null where no light was asked for; none at all where it was, and nothing of it came. */
type Asked = { steps: readonly LivenessStep[]; tints: readonly Tint[] | null; timeline: Timeline };

function verdictOf(
  { steps, tints, timeline }: Asked,
  frames: readonly FrameEvidence[],
  mode: ChallengeMode,
): LivenessVerdict {
  const lastMs = timeline.frames.at(-1)?.at_ms ?? 0;
  const seenBefore = frames.map(() => false);
  return judgeCapture({
    steps,
    tints,
    mode,
    issuedAtMs: 0,
    receivedAtMs: lastMs + UPLOAD_MS,
    timeline,
    frames,
    seenBefore,
  });
}

/** A standard challenge has fewer steps, one of them a turn: the clip's first ones serve, with its first turn. */
function firstSteps(steps: readonly LivenessStep[], timeline: Timeline, evidence: readonly FrameEvidence[]) {
  const turn = steps.findIndex((step) => step === 'turn_left' || step === 'turn_right');
  const places = steps.map((_, place) => place).filter((place) => place !== turn);
  const kept = [turn, ...places.slice(0, STANDARD_STEPS - 1)]
    .filter((place) => place >= 0)
    .sort((a, b) => a - b);
  const frames = timeline.frames.flatMap(({ step, at_ms }, index) => {
    const place = step === null ? null : kept.indexOf(step);
    return place === -1 ? [] : [{ index, entry: { step: place, at_ms } }];
  });
  return {
    steps: kept.flatMap((place) => steps[place] ?? []),
    timeline: { ...timeline, frames: frames.map(({ entry }) => entry) },
    evidence: frames.flatMap(({ index }) => evidence[index] ?? []),
  };
}

/** Pictures without steps: only what one picture shows. */
function pictureSignals(evidence: readonly FrameEvidence[]): AttackSignals {
  const cues = evidence.flatMap((frame) => frame.cues ?? []);
  const middle = (values: readonly number[]) => (values.length > 0 ? median(values) : null);
  return {
    passive: 1 - median(evidence.map(({ genuineScore }) => genuineScore)),
    relief: null,
    headlike: null,
    together: null,
    pattern: middle(cues.map(({ patternDb }) => patternDb)),
    border: middle(cues.map(({ borders }) => borders.toSorted((a, b) => b - a)[1] ?? 0)),
    agreement: null,
    otherLight: null,
    unlit: null,
    lit: null,
  };
}

function withoutSteps(evidence: readonly FrameEvidence[]): Pick<Judged, 'verdicts' | 'signals'> {
  const signals = pictureSignals(evidence);
  const { score } = judgeAttack(signals);
  const seen = evidence.some(({ face }) => face !== null);
  const verdict = (mode: ChallengeMode) => {
    const findings: LivenessVerdict['findings'] = seen ? [] : ['no_face'];
    if (score >= ATTACK_THRESHOLDS[mode]) findings.push('presentation_attack');
    return { passed: findings.length === 0, findings, score };
  };
  const standard = verdict('standard');
  return { signals, verdicts: { standard, strict: verdict('strict'), standard_unlit: standard } };
}
