/** The evidence of a capture, and whether it is sufficient. */
import { DOUBLE_STEP, type LivenessStep, type Tint } from '../../../contract/flow.ts';
import { reflectsPage } from '../attack/signals.ts';
import { ATTACK_THRESHOLDS } from '../attack/weights.ts';
import type { FrameEvidence } from '../evidence.ts';
import { gesturesOf, neutralOf, stepStrength, type GestureMeasures } from '../gestures.ts';
import { mean } from '../../statistics.ts';
import { NEUTRAL } from '../liveness-thresholds.ts';
import { judgeCapture, type CaptureFacts, type LivenessVerdict } from '../liveness.ts';
import {
  unjudgedOf,
  unseenSteps,
  type AskedRequest,
  type ExchangeState,
  type ExchangeStill,
} from './state.ts';
import { STEADY_YAW_RAD } from './looks.ts';
import { isTurn, mostSteps, showsWith, stepsNeeded, tintsNeeded } from './requests.ts';

/** Stills that count per step. Without a landmarker, a page may send many before one shows the step. */
const MOST_STILLS_OF_STEP = 4;
/** Share of the attack threshold from which a score is in doubt. */
const DOUBTFUL_SHARE = 0.5;
/** Picture quality, 0 to 1, below which one more step is worth its time. */
const DOUBTFUL_QUALITY = 0.25;
/**
 * The attack model's probability of a picture. Six of six real attack sources reached it; none of 13 real
 * people did.
 */
const DOUBTFUL_PASSIVE = 0.8;
/** Steps without a still that shows them. One may be an error of the landmark model. */
const DOUBTFUL_MISSES = 2;
/** Milliseconds from when a step can be answered, on average. Without a landmarker, stills are a second apart. */
const LATE_MS = { coached: 4_000, stills: 8_000 } as const;
/** People blink, smile and lean forward unprompted, but do none of these. */
const DELIBERATE: readonly LivenessStep[] = ['turn_left', 'turn_right', 'look_up', 'open_mouth'];
/** Share of the requested step below which a still shows nothing of it. */
const NOT_BEGUN = 0.35;

type Seen = ExchangeStill & { evidence: FrameEvidence };

/** The stills that count, in the order in which they are judged: the resting face, then each step. */
type ExchangeEvidence = {
  stills: Seen[];
  facts: Omit<CaptureFacts, 'seenBefore'>;
};

export function evidenceOf(state: ExchangeState): ExchangeEvidence {
  const { plan, requests, startedAtMs } = state;
  const steps: LivenessStep[] = [];
  const steady = restingStills(state);
  const hasRest = steady.length >= NEUTRAL.minFrames;
  const resting = hasRest ? steady : tintedStills(state, () => true);
  const stills: { still: Seen; step: number | null }[] = resting.map(({ still }) => ({ still, step: null }));
  for (const request of requests) {
    const ofStep = stillsOfStep(request);
    if (request.ask.kind !== 'step' || ofStep.length === 0) continue;
    stills.push(...ofStep.map((still) => ({ still, step: steps.length })));
    steps.push(request.ask.step);
  }
  return {
    stills: stills.map(({ still }) => still),
    facts: {
      steps,
      // Without a resting face nothing passes; the stills only explain why.
      stepsNeeded: hasRest ? stepsNeeded(plan) : Infinity,
      mode: plan.challenge,
      attackThresholds: plan.attackThresholds,
      tints: resting.map(({ tint }) => tint),
      timeline: {
        frames: stills.map(({ still, step }) => ({ step, at_ms: still.atMs - startedAtMs })),
      },
      frames: stills.map(({ still }) => still.evidence),
      isHandheld: plan.isHandheld,
      leastTints: plan.claim && tintsNeeded(plan),
    },
  };
}

/**
 * The stills whose pictures may still be kept: those that count now, and those that can count once the others are
 * judged. Every request adds a few at most.
 */
export const stillsToHold = ({ requests }: ExchangeState): ExchangeStill[] =>
  requests.flatMap((request) => [
    ...unjudgedOf([request]),
    ...(request.ask.kind === 'step'
      ? stillsOfStep(request)
      : [request.stills.findLast(isUsable), request.stills.at(-1)].filter((still) => still !== undefined)),
  ]);

/**
 * The verdict on the stills so far. Frames of earlier captures are not checked here, because only the store
 * knows them.
 */
export function judgeExchange(state: ExchangeState): LivenessVerdict {
  const known = verdicts.get(state);
  if (known) return known;
  const { facts } = evidenceOf(state);
  const verdict = judgeCapture({ ...facts, seenBefore: facts.frames.map(() => false) });
  verdicts.set(state, verdict);
  return verdict;
}

/** A state never changes, and its verdict may be needed three times before the next request. */
const verdicts = new WeakMap<ExchangeState, LivenessVerdict>();

/** `light`: the only doubt is that the page's light is unseen where it is usually seen. */
export type Doubt = 'none' | 'light' | 'other';

/**
 * The doubt about a verdict. A person is never told. A pass that is in doubt goes to a reviewer. Problems that no step
 * can change, such as frames of two people, are not in doubt.
 */
export function doubtOf(state: ExchangeState, verdict: LivenessVerdict): Doubt {
  if (isUnsettledInAnyLight(state, verdict)) return 'other';
  if (!hasLasting(verdict) && (lacksStep(state, verdict) || comesByChance(state, verdict))) return 'other';
  return isUsualLightMissing(state, verdict) ? 'light' : 'none';
}

/**
 * Whether a step was not seen although it was asked for twice, or two were not seen the first time. No other step makes up
 * for it, because somebody who shows recorded steps would let pass those that they lack. `isMadeUpFor` has the exception.
 */
export function lacksStep(
  state: ExchangeState,
  { missedSteps }: Pick<LivenessVerdict, 'missedSteps'>,
): boolean {
  const lost = unseenSteps(state).filter(({ times }) => times > 1);
  if (lost.length > 0 && !isMadeUpFor(lost, state)) return true;
  // A page with a landmarker sends a step's stills only after it detected the step.
  return state.plan.mode === 'coached' && missedSteps.length >= DOUBTFUL_MISSES;
}

/**
 * Slow people miss a step now and then. The step that followed it is enough for one that is no turn, if two movements at once
 * were shown: found videos rarely show those.
 */
function isMadeUpFor(
  [lost, ...others]: readonly { step: LivenessStep }[],
  { requests }: ExchangeState,
): boolean {
  const isDoubleShown = requests.some(
    ({ ask, stills }) => ask.kind === 'step' && ask.step === DOUBLE_STEP && stills.some(isUsable),
  );
  return isDoubleShown && others.length === 0 && lost !== undefined && !isTurn(lost.step);
}

/**
 * Whether the steps came late on average, in unseen light: as in a video that plays in a loop before the page until it happens
 * to show each. People take 0.2 to 4 s.
 */
const comesByChance = (state: ExchangeState, { attack }: LivenessVerdict): boolean =>
  (attack?.signals.lit ?? 0) < DOUBTFUL_SHARE && areStepsLate(state);

export function areStepsLate({ plan, requests }: ExchangeState): boolean {
  const delaysMs = requests.flatMap(({ ask, opensAtMs, stills }) => {
    const first = ask.kind === 'step' ? stills.find(isUsable) : undefined;
    return first ? first.atMs - opensAtMs : [];
  });
  return delaysMs.length > 0 && mean(delaysMs) > LATE_MS[plan.mode];
}

const hasLasting = ({ findings }: LivenessVerdict): boolean =>
  findings.some((finding) => finding !== 'step_missed' && finding !== 'presentation_attack');

/** Whether one more step could change or confirm a verdict. */
export const isUnsettled = (state: ExchangeState, verdict: LivenessVerdict): boolean =>
  isUnsettledInAnyLight(state, verdict) || isUsualLightMissing(state, verdict);

/** The room does not drown out the light here, so a surface without it is unlikely to be a face. */
const isUsualLightMissing = ({ plan }: ExchangeState, { findings, attack }: LivenessVerdict): boolean =>
  plan.isLightUsual === true && findings.length === 0 && attack !== null && !reflectsPage(attack.signals);

function isUnsettledInAnyLight(state: ExchangeState, verdict: LivenessVerdict): boolean {
  const { findings, attack, quality } = verdict;
  const { challenge, attackThresholds = ATTACK_THRESHOLDS } = state.plan;
  if (hasLasting(verdict)) return false;
  if (findings.length > 0) return true;
  if ((attack?.score ?? 0) >= DOUBTFUL_SHARE * attackThresholds[challenge]) return true;
  if ((attack?.signals.passive ?? 0) >= DOUBTFUL_PASSIVE) return true;
  // Only a turn shows that the face has depth, and it is the easiest step to let pass by.
  if (!attack || attack.signals.relief === null) return true;
  if (showsOtherStep(state)) return true;
  // A step or two more than needed settle the lesser doubts; they would otherwise remain for ever.
  const extra = countClean(state) - stepsNeeded(state.plan);
  return extra < extraStepsAtRest(state, verdict) || (extra < 1 && quality < DOUBTFUL_QUALITY);
}

/**
 * How many steps more than needed the lesser doubts ask for that are certain once the resting face is judged: no step shows
 * the page's light, or brightens the room. Unseen light asks for the most there are, because a video that knows nothing of the
 * page lacks it, and one found video seldom shows five.
 */
export function extraStepsAtRest(state: ExchangeState, { attack }: LivenessVerdict): number {
  if (!attack || unjudgedOf(state.requests.filter(({ ask }) => ask.kind === 'tint')).length > 0) return 0;
  if ((attack.signals.lit ?? 0) < DOUBTFUL_SHARE) return mostSteps(state.plan) - stepsNeeded(state.plan);
  // The attack model is not used in dim light, and an attacker may have chosen the light.
  const isUnheard = attack.signals.passive === null;
  return isUnheard || state.earlyStills > 0 ? 1 : 0;
}

/**
 * Whether a still shows a step other than the requested one, as recordings and prepared pictures do. Turning to
 * the wrong side is a common mistake, and the previous step may last until the person has read the next one. A
 * page without a landmarker also sends stills of people talking, so there an open mouth counts only from two
 * stills in a row.
 */
function showsOtherStep(state: ExchangeState): boolean {
  const neutral = restingMeasures(state);
  if (!neutral) return false;
  const asked = state.requests.flatMap(({ ask, stills }) =>
    ask.kind === 'step' ? { step: ask.step, stills } : [],
  );
  return asked.some(({ step, stills }, place) => {
    const before = asked[place - 1];
    const expected = [step, ...(before ? [before.step] : [])].flatMap(showsWith);
    const others = DELIBERATE.filter(
      (other) => !expected.includes(other) && !(isTurn(other) && isTurn(step)),
    );
    const shown = stills.map(({ evidence }) => {
      const measures = evidence?.face && gesturesOf(evidence.face);
      if (!measures || stepStrength(step, measures, neutral) >= NOT_BEGUN) return [];
      return others.filter((other) => stepStrength(other, measures, neutral) >= 1);
    });
    const mayBeSpeech = (other: LivenessStep, nth: number) =>
      state.plan.mode === 'stills' && other === 'open_mouth' && !shown[nth + 1]?.includes(other);
    return shown.some((steps, nth) => steps.some((other) => !mayBeSpeech(other, nth)));
  });
}

/** Steps that a usable still shows. */
export const countClean = ({ requests }: ExchangeState): number =>
  requests.filter(({ ask, stills }) => ask.kind === 'step' && stills.some(({ state }) => state === 'usable'))
    .length;

/**
 * Stills of the resting face with their tints. Keeps those in which the head is held as in the median one, so
 * that a moving head costs another tint, not the capture.
 */
export function restingStills(state: ExchangeState): TintedStill[] {
  const usable = tintedStills(state, isUsable);
  const yawOf = ({ still }: TintedStill) => still.evidence.face?.yawRad ?? 0;
  const sorted = usable.map(yawOf).toSorted((a, b) => a - b);
  const middle = sorted[(sorted.length - 1) >> 1] ?? 0;
  return usable.filter((one) => Math.abs(yawOf(one) - middle) <= STEADY_YAW_RAD);
}

type TintedStill = { still: Seen; tint: Tint };

/** The last usable still of each tint. */
const tintedStills = ({ requests }: ExchangeState, fits: (still: ExchangeStill) => boolean): TintedStill[] =>
  requests.flatMap(({ ask, stills }) => {
    const last = stills.findLast(fits);
    return ask.kind === 'tint' && last ? seen(last).map((still) => ({ still, tint: ask.tint })) : [];
  });

/** The resting face so far; null until there is one. */
export function restingMeasures(state: ExchangeState): GestureMeasures | null {
  const measures = restingStills(state).flatMap(({ still: { evidence } }) =>
    evidence.face ? gesturesOf(evidence.face) : [],
  );
  return measures.length > 0 ? neutralOf(measures) : null;
}

/** Stills with one face, limited to the last few, of which the very last shows the step best. */
const stillsOfStep = ({ stills }: AskedRequest): Seen[] =>
  stills
    .flatMap(seen)
    .filter(({ evidence: { face, faceCount } }) => face !== null && faceCount === 1)
    .slice(-MOST_STILLS_OF_STEP);

const isUsable = ({ state }: ExchangeStill): boolean => state === 'usable';

const seen = (still: ExchangeStill): Seen[] =>
  still.evidence ? [{ ...still, evidence: still.evidence }] : [];
