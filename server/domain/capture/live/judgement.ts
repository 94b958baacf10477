/** The evidence of a live capture, and whether it is enough. */
import type { LivenessStep, Tint } from '../../../contract/flow.ts';
import { ATTACK_THRESHOLDS } from '../attack/weights.ts';
import type { FrameEvidence } from '../evidence.ts';
import { gesturesOf, neutralOf, stepStrength, type GestureMeasures } from '../gestures.ts';
import { NEUTRAL } from '../liveness-thresholds.ts';
import { judgeCapture, type CaptureFacts, type LivenessVerdict } from '../liveness.ts';
import { unjudgedOf, type AskedRequest, type LiveState, type LiveStill } from './state.ts';
import { STEADY_YAW_RAD } from './looks.ts';
import { isTurn, stepsNeeded } from './requests.ts';

/** Stills of a step that count: before one that shows it, a page without a landmarker may have sent many. */
const MOST_STILLS_OF_STEP = 4;
/** Share of the threshold of an attack from which a score is in doubt. */
const DOUBTFUL_SHARE = 0.5;
/** Quality of the pictures, 0 to 1, below which one more step is worth its time. */
const DOUBTFUL_QUALITY = 0.25;
/** The attack model's probability of a picture: six of six real attack sources reached it, none of 13 real people. */
const DOUBTFUL_PASSIVE = 0.8;
/** Steps without a still that shows them: one may be the landmark model's mistake. */
const DOUBTFUL_MISSES = 2;
/** People blink, smile and lean forward unasked, but do none of these. */
const DELIBERATE: readonly LivenessStep[] = ['turn_left', 'turn_right', 'look_up', 'open_mouth'];
/** Share of the step asked for below which a still shows nothing of it. */
const NOT_BEGUN = 0.35;

type Seen = LiveStill & { evidence: FrameEvidence };

/** Stills that count, in the order in which they are judged: the resting face, then each step. */
export type LiveEvidence = {
  stills: Seen[];
  facts: Omit<CaptureFacts, 'seenBefore'>;
};

export function evidenceOf(state: LiveState): LiveEvidence {
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
      // Without a resting face nothing passes; its stills only say why.
      stepsNeeded: hasRest ? stepsNeeded(plan.challenge, plan.mode) : Infinity,
      mode: plan.challenge,
      attackThresholds: plan.attackThresholds,
      tints: resting.map(({ tint }) => tint),
      timeline: {
        frames: stills.map(({ still, step }) => ({ step, at_ms: still.atMs - startedAtMs })),
      },
      frames: stills.map(({ still }) => still.evidence),
      isHandheld: plan.isHandheld,
    },
  };
}

/** The verdict on what has come so far, but for frames of earlier captures, which only the store knows. */
export function judgeLive(state: LiveState): LivenessVerdict {
  const { facts } = evidenceOf(state);
  return judgeCapture({ ...facts, seenBefore: facts.frames.map(() => false) });
}

/**
 * Whether one more step could change or secure a verdict. A person is never told which of these it was. What no step can
 * change, such as frames of two people, is not in doubt. A pass that is in doubt after the last step goes to a reviewer.
 */
export function isDoubtful(state: LiveState, verdict: LivenessVerdict): boolean {
  const { findings, attack, quality, missedSteps } = verdict;
  const { challenge, mode, attackThresholds = ATTACK_THRESHOLDS } = state.plan;
  const lasting = findings.filter(
    (finding) => finding !== 'step_missed' && finding !== 'presentation_attack',
  );
  if (lasting.length > 0) return false;
  if (findings.length > 0) return true;
  if ((attack?.score ?? 0) >= DOUBTFUL_SHARE * attackThresholds[challenge]) return true;
  if ((attack?.signals.passive ?? 0) >= DOUBTFUL_PASSIVE) return true;
  if (showsOtherStep(state)) return true;
  // A page with a landmarker sends a step's stills only once it has seen the step.
  if (mode === 'coached' && missedSteps.length >= DOUBTFUL_MISSES) return true;
  // One step more than needed answers the lesser doubts; they would stay for ever.
  const hasExtra = countClean(state) > stepsNeeded(challenge, mode);
  return !hasExtra && (isDoubtfulAtRest(state, verdict) || quality < DOUBTFUL_QUALITY);
}

/** Lesser doubts that are certain once the resting face is judged: no step shows the page's light, or lights the room. */
export function isDoubtfulAtRest(state: LiveState, { attack }: LivenessVerdict): boolean {
  if (!attack || unjudgedOf(state.requests.filter(({ ask }) => ask.kind === 'tint')).length > 0) return false;
  const isUnlit = (attack.signals.lit ?? 0) < DOUBTFUL_SHARE;
  // In dim light the attack model has no say, and somebody may have chosen the light.
  const isUnheard = attack.signals.passive === null;
  return isUnlit || isUnheard || state.earlyStills > 0;
}

/**
 * Whether a still shows another step than the one asked for, as recordings and prepared pictures do. The other side of a turn
 * is a mistake that people make, and the step before may last until they have read the next one. A page without a
 * landmarker also sends stills of people who talk: there an open mouth counts from two stills in a row.
 */
function showsOtherStep(state: LiveState): boolean {
  const neutral = restingMeasures(state);
  if (!neutral) return false;
  const asked = state.requests.flatMap(({ ask, stills }) =>
    ask.kind === 'step' ? { step: ask.step, stills } : [],
  );
  return asked.some(({ step, stills }, place) => {
    const others = DELIBERATE.filter(
      (other) => other !== step && other !== asked[place - 1]?.step && !(isTurn(other) && isTurn(step)),
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
export const countClean = ({ requests }: LiveState): number =>
  requests.filter(({ ask, stills }) => ask.kind === 'step' && stills.some(({ state }) => state === 'usable'))
    .length;

/**
 * Stills of the resting face, each with its tint: those in which the head is held as in the middle one. A head that moved in
 * one of them costs another tint, not the capture.
 */
export function restingStills(state: LiveState): TintedStill[] {
  const usable = tintedStills(state, (still) => still.state === 'usable');
  const yawOf = ({ still }: TintedStill) => still.evidence.face?.yawRad ?? 0;
  const sorted = usable.map(yawOf).toSorted((a, b) => a - b);
  const middle = sorted[(sorted.length - 1) >> 1] ?? 0;
  return usable.filter((one) => Math.abs(yawOf(one) - middle) <= STEADY_YAW_RAD);
}

type TintedStill = { still: Seen; tint: Tint };

/** The last still of each tint that fits. */
const tintedStills = ({ requests }: LiveState, fits: (still: LiveStill) => boolean): TintedStill[] =>
  requests.flatMap(({ ask, stills }) => {
    const last = stills.findLast(fits);
    return ask.kind === 'tint' && last ? seen(last).map((still) => ({ still, tint: ask.tint })) : [];
  });

/** The resting face so far; null while there is none. */
export function restingMeasures(state: LiveState): GestureMeasures | null {
  const measures = restingStills(state).flatMap(({ still: { evidence } }) =>
    evidence.face ? gesturesOf(evidence.face) : [],
  );
  return measures.length > 0 ? neutralOf(measures) : null;
}

/** Those with one face; the last ones, of which the very last shows the step best. */
const stillsOfStep = ({ stills }: AskedRequest): Seen[] =>
  stills
    .flatMap(seen)
    .filter(({ evidence: { face, faceCount } }) => face !== null && faceCount === 1)
    .slice(-MOST_STILLS_OF_STEP);

const seen = (still: LiveStill): Seen[] => (still.evidence ? [{ ...still, evidence: still.evidence }] : []);
