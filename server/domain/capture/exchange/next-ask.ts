/** What a capture asks for next: more tints, more steps, or nothing. */
import {
  DOUBLE_STEP,
  SINGLE_STEPS,
  TINT_NAMES,
  type LivenessStep,
  type Tint,
} from '../../../contract/flow.ts';
import { NEUTRAL } from '../liveness-thresholds.ts';
import {
  countClean,
  extraStepsAtRest,
  isUnsettled,
  judgeExchange,
  lacksStep,
  restingStills,
} from './judgement.ts';
import { isTurn, mostSteps, stepsNeeded, tintsNeeded, type Ask } from './requests.ts';
import {
  answeredSteps,
  firstTold,
  hasRevealedStep,
  unjudged,
  unjudgedOf,
  unseenSteps,
  type AskedRequest,
  type ExchangePlan,
  type ExchangeState,
} from './state.ts';

/** How often one step is asked for. */
const MOST_ASKS = 3;
/** Maximum of requested tints, so that a capture in a dark room ends with a verdict that says so. */
const MOST_TINTS = 9;

/**
 * @param random an unpredictable integer in [0, n)
 * @returns null when nothing more is asked, at least until the stills received so far are judged
 */
export function nextAsk(state: ExchangeState, random: (n: number) => number): Ask | null {
  const tints = state.requests.filter(({ ask }) => ask.kind === 'tint');
  const hopeful = restingStills(state).length + unjudgedOf(tints).length;
  if (hopeful < tintsNeeded(state.plan) && tints.length < MOST_TINTS) {
    const shown = tints.flatMap(({ ask }) => (ask.kind === 'tint' ? ask.tint : []));
    const tint = { kind: 'tint', tint: drawTint(shown, random) } as const;
    const first =
      hopeful === tintsNeeded(state.plan) - 1 && mayTellFirst(state) ? nextStep(state, [], random) : null;
    return first?.kind === 'step' ? { ...tint, then: first.step } : tint;
  }
  // If the face cannot be compared with itself at rest, the person gets the reason instead of more steps.
  if (hopeful < NEUTRAL.minFrames) return null;
  const told = firstTold(state);
  if (told) return { kind: 'step', step: told.step };
  const answered = answeredSteps(state);
  // Letting a step pass must not lead to one that suits better.
  const unseen = unseenSteps(state).find(({ times }) => times === 1);
  if (unseen) return { kind: 'step', step: unseen.step };
  return nextStep(state, answered, random) ?? lastChance(state);
}

/** People read the first step during the last tint. A slow tint would last longer than that, and a page without a landmarker can't tell when the still is certain. */
const mayTellFirst = (state: ExchangeState): boolean =>
  state.plan.mode === 'coached' && !state.plan.isCalm && !hasRevealedStep(state);

function nextStep(
  state: ExchangeState,
  answered: readonly AskedRequest[],
  random: (n: number) => number,
): Ask | null {
  const different = new Set(answered.map(({ ask }) => (ask.kind === 'step' ? ask.step : null)));
  if (different.size >= mostSteps(state.plan)) return null;
  const unsure = answered.filter(({ stills }) => stills.some((still) => still.state === 'unjudged'));
  const missing = stepsNeeded(state.plan) - countClean(state) - unsure.length;
  if (missing <= 0 && !isMoreWanted(state, missing)) return null;
  const shown = state.requests.flatMap(({ ask }) => (ask.kind === 'step' ? ask.step : []));
  const hasTurn = state.requests.some(
    ({ ask, stills }) =>
      ask.kind === 'step' && isTurn(ask.step) && stills.some((still) => still.state !== 'unusable'),
  );
  const drawing = { asked: shown, stillNeeded: missing, hasTurn };
  const step = state.plan.order ? nextOf(state.plan.order, drawing) : drawStep(drawing, random);
  return step && { kind: 'step', step };
}

/**
 * If a step that was not seen twice is all that keeps a capture from passing, it is asked for a last time: a person who
 * looked away need not wait for a reviewer, and a script that lacks the step gains nothing.
 */
function lastChance(state: ExchangeState): Ask | null {
  const [unseen, ...others] = unseenSteps(state);
  if (!unseen || unseen.times >= MOST_ASKS || others.length > 0 || unjudged(state).length > 0) return null;
  const verdict = judgeExchange(state);
  const isOnlyDoubt = verdict.passed && !isUnsettled(state, verdict) && lacksStep(state, verdict);
  return isOnlyDoubt ? { kind: 'step', step: unseen.step } : null;
}

/** Whether a doubt calls for one more step. Until all stills are judged, only doubts that no later step can remove count. */
function isMoreWanted(state: ExchangeState, missing: number): boolean {
  if (unjudged(state).length === 0) return isUnsettled(state, judgeExchange(state));
  return -missing < extraStepsAtRest(state, judgeExchange(state));
}

type Drawing = { asked: readonly LivenessStep[]; stillNeeded: number; hasTurn: boolean };

/**
 * The next step of one movement, which was not asked for before. One of the required steps is a turn, in a random position. If
 * one turn was not shown, the other follows.
 * @param asked the steps before it @param stillNeeded number of steps still needed, including this one
 * @param hasTurn a turn was shown, or may turn out to have been
 * @param random an unpredictable integer in [0, n)
 * @returns null when every step was requested
 */
export function drawStep(
  { asked, stillNeeded, hasTurn }: Drawing,
  random: (n: number) => number,
): LivenessStep | null {
  const left = SINGLE_STEPS.filter((step) => !asked.includes(step));
  const turns = left.filter(isTurn);
  const others = left.filter((step) => !isTurn(step));
  if (hasTurn || turns.length === 0 || others.length === 0) return pick(left, random);
  return pick(random(Math.max(1, stillNeeded)) === 0 ? turns : others, random);
}

/**
 * All steps in the order in which a session asks for them, drawn once: a page that leaves at a step gets the same one
 * again. In strict mode two movements at once are among the required steps, and not the first, which people do while they
 * still find out how it works.
 */
export function drawOrder(
  plan: Pick<ExchangePlan, 'challenge' | 'mode'>,
  random: (n: number) => number,
): LivenessStep[] {
  const isDouble = plan.challenge === 'strict';
  const needed = stepsNeeded(plan);
  const order: LivenessStep[] = [];
  for (;;) {
    const stillNeeded = needed - (isDouble ? 1 : 0) - order.length;
    const step = drawStep({ asked: order, stillNeeded, hasTurn: order.some(isTurn) }, random);
    if (step === null) break;
    order.push(step);
  }
  // A page that comes back with a landmarker needs fewer steps, and gets this one anyway.
  if (isDouble) order.splice(1 + random(stepsNeeded({ ...plan, mode: 'coached' }) - 1), 0, DOUBLE_STEP);
  return order;
}

/** The next step of an order. A turn goes first if it is the last chance for one, as where the first was not shown. */
function nextOf(
  order: readonly LivenessStep[],
  { asked, stillNeeded, hasTurn }: Drawing,
): LivenessStep | null {
  const left = order.filter((step) => !asked.includes(step));
  const isTurnDue = !hasTurn && stillNeeded <= 1;
  return (isTurnDue ? left.find(isTurn) : undefined) ?? left[0] ?? null;
}

/** The next tint: one that has not been shown, else any but the last. */
export function drawTint(shown: readonly Tint[], random: (n: number) => number): Tint {
  const fresh = TINT_NAMES.filter((tint) => !shown.includes(tint));
  const from = fresh.length > 0 ? fresh : TINT_NAMES.filter((tint) => tint !== shown.at(-1));
  return pick(from, random) ?? 'warm';
}

function pick<T>(from: readonly T[], random: (n: number) => number): T | null {
  return from[random(Math.max(1, from.length))] ?? null;
}
