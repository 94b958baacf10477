/**
 * Guides a person through the server's requests, one at a time, and selects the stills that answer them. Pure:
 * requests and observations in, a view and selected frames out. The server judges the pictures.
 */
import type { CaptureRequest } from '../../../server/contract/capture.ts';
import type { LivenessStep } from '../../../server/contract/flow.ts';
import type { CoachHint } from '../../i18n/messages.ts';
import { atRest, gestureProgress, isTurnedTooFar, neutralOf, type Neutral } from './gestures.ts';
import type { FaceMeasures } from '../landmarks/measure.ts';
import { createPeak, type Peak } from './peak.ts';
import type { Observation } from '../landmarks/protocol.ts';
import { lightHint, placeHint, presenceHint } from './quality.ts';
import { createSideWatch, createTurnedWatch } from './wrong-picture.ts';

/** `find` until a face is well placed; `rest` after a step; `learn` while a step waits for the person's neutral. */
export type CoachStage = 'find' | 'rest' | 'tint' | 'learn' | 'step';

export type CoachView = {
  stage: CoachStage;
  hint: CoachHint | null;
  /** The current step. */
  step: LivenessStep | null;
  stepsDone: number;
  stepsTotal: number;
  /** Of the whole capture as far as known, 0 to 1. */
  fraction: number;
  /** The current step was asked for before: say it in other words. */
  isAgain: boolean;
  /** The current step takes long: offer help. */
  stuck: boolean;
  /** Turns appear on the wrong side: the camera swaps left and right. */
  isMirrored: boolean;
};

/** A frame that answers a request. */
export type ChosenFrame = { frameId: number; request: number };

export type Coach = {
  /**
   * The server's request; it replaces the previous one.
   * @param nowMs when it is shown, on the clock of the observations
   * @param tintShownMs how long a tint has to be shown before its still
   */
  ask: (request: CaptureRequest, nowMs: number, tintShownMs: number) => void;
  /**
   * One analysed frame.
   * @returns the frames that answer the request
   */
  observe: (observation: Observation) => readonly ChosenFrame[];
  view: (nowMs: number) => CoachView;
};

/** Consecutive good frames before the first still. */
const STEADY_LOOKS = 2;
/** Frames of a face at rest that make its neutral. */
const NEUTRAL_LOOKS = { enough: 8, most: 24 } as const;
/** A gesture counts from here only if it was below this before, which excludes the rest of the previous one. */
const ARMED_BELOW = 0.6;
/** A face that does not return to rest, for example one that keeps smiling, does not block the next step for ever. */
const ARMED_AFTER_MS = 2_500;
const STUCK_AFTER_MS = 12_000;
/** A gesture that stays below its mark for this long, from this share of it on, is asked to be larger. */
const TOO_SMALL = { from: 0.4, afterMs: 900 } as const;
/** Asks for more light for this long; then the server decides on the pictures. */
const LIGHT_HINTS_MS = 8_000;
/** Faster than this (image widths per second) a still would be blurred. */
const STILL_SPEED = 0.35;
/** Share of the ring that is filled when the face is found, per tint, and before the first step. */
const RING = { found: 0.06, tint: 0.05, steps: 0.28 } as const;

type Seen = { hint: CoachHint | null; chosen: readonly ChosenFrame[] };

type Asked = {
  request: CaptureRequest;
  tintShownMs: number;
  sinceMs: number;
  taken: number;
  isArmed: boolean;
  /** The words of the step that follows this colour are shown. */
  isNextShown: boolean;
  peak: Peak;
  /** Since when the gesture has been begun without reaching its mark. */
  smallSinceMs: number | null;
};

export function createCoach(): Coach {
  const isTurned = createTurnedWatch();
  const sides = createSideWatch();
  let asked: Asked | null = null;
  let goodLooks = 0;
  const restingFaces: FaceMeasures[] = [];
  let neutral: Neutral | null = null;
  let tintsTaken = 0;
  let stepProgress = 0;
  let lightSinceMs: number | null = null;
  let previous: Observation | null = null;
  let isPlaced = false;
  let furthest = 0;
  let lastHint: CoachHint | null = null;
  /** When the current step was first requested; a request may be repeated. */
  let step: { name: LivenessStep; sinceMs: number } | null = null;

  /** The problem with the light, or null; also null once it has been reported for long enough. */
  const badLight = ({ light, atMs }: Observation): CoachHint | null => {
    const hint = lightHint(light);
    if (hint === null) return null;
    lightSinceMs ??= atMs;
    return atMs - lightSinceMs < LIGHT_HINTS_MS ? hint : null;
  };

  /** The hint that prevents a face at rest from being used, or null. */
  const restHint = (observation: Observation, face: FaceMeasures): CoachHint | null => {
    const place = placeHint(face, isPlaced);
    isPlaced = place === null;
    const light = badLight(observation);
    if (light !== null) return light;
    return place ?? (speed(previous, observation) > STILL_SPEED ? 'hold_still' : null);
  };

  const learn = (face: FaceMeasures) => {
    if (restingFaces.length >= NEUTRAL_LOOKS.most) return;
    restingFaces.push(face);
    if (restingFaces.length >= NEUTRAL_LOOKS.enough) neutral = neutralOf(restingFaces);
  };

  const choose = (present: Asked, frameIds: readonly number[]): readonly ChosenFrame[] => {
    present.taken += frameIds.length;
    return frameIds.map((frameId) => ({ frameId, request: present.request.id }));
  };

  const atRestFor = (present: Asked | null, observation: Observation, face: FaceMeasures): Seen => {
    let hint = restHint(observation, face);
    if (hint === null && neutral !== null && !atRest(face, neutral)) hint = 'look_straight';
    if (hint === null && (neutral === null || tintsTaken < 4)) learn(face);
    goodLooks = hint === null ? goodLooks + 1 : 0;
    if (present === null) return { hint, chosen: [] };
    // Somebody who reads the next step already may move.
    if (present.taken >= present.request.stills)
      return { hint: present.isNextShown ? null : hint, chosen: [] };
    const { ask, opens_in_ms: opensMs } = present.request;
    if (ask === 'step') return { hint, chosen: [] };
    const waitMs = Math.max(opensMs, present.tintShownMs);
    if (goodLooks < STEADY_LOOKS || observation.atMs - present.sinceMs < waitMs) return { hint, chosen: [] };
    tintsTaken += 1;
    present.isNextShown = nextOf(present) !== null;
    return { hint, chosen: choose(present, [observation.frameId]) };
  };

  const tooSmallHint = (
    present: Asked,
    name: LivenessStep,
    atMs: number,
    progress: number,
  ): CoachHint | null => {
    // Eyes that are nearly closed read no hint.
    const isSmall = name !== 'blink' && progress >= TOO_SMALL.from && progress < 1;
    present.smallSinceMs = isSmall ? (present.smallSinceMs ?? atMs) : null;
    const isLasting = present.smallSinceMs !== null && atMs - present.smallSinceMs >= TOO_SMALL.afterMs;
    return isLasting ? 'more' : null;
  };

  const inStep = (
    present: Asked,
    name: LivenessStep,
    rest: Neutral,
    observation: Observation,
    face: FaceMeasures,
  ): Seen => {
    const { frameId, atMs } = observation;
    const inStepMs = atMs - present.sinceMs;
    // A light that goes out meanwhile. Glare may come and go with the gesture itself.
    if (badLight(observation) === 'too_dark') return { hint: 'too_dark', chosen: [] };
    const progress = gestureProgress(name, face, rest);
    const isTurn = name === 'turn_left' || name === 'turn_right';
    if (isTurn && sides.observe(progress, atMs)) return { hint: 'other_side', chosen: [] };
    const hint = isTurnedTooFar(name, face, rest) ? 'not_so_far' : null;
    present.isArmed ||= progress < ARMED_BELOW || inStepMs > ARMED_AFTER_MS;
    if (!present.isArmed || inStepMs < present.request.opens_in_ms) return { hint, chosen: [] };
    stepProgress = Math.max(0, Math.min(1, progress));
    // Lids that stay lowered are no blink, and a head that is turned too far must come back.
    const mayStopShort = name !== 'blink' && hint === null;
    const frames = present.peak.observe({ frameId, atMs, progress }, mayStopShort);
    if (frames === null) return { hint: hint ?? tooSmallHint(present, name, atMs, progress), chosen: [] };
    const chosen = choose(
      present,
      frames.map((frame) => frame.frameId),
    );
    // A very short gesture may give too few stills; it is then requested again.
    present.peak = createPeak(Math.max(1, present.request.stills - present.taken), movesOf(name));
    present.isArmed = false;
    return { hint: null, chosen };
  };

  const look = (observation: Observation): Seen => {
    const { face } = observation;
    const absent = isTurned(observation) ? 'turned' : presenceHint(observation);
    if (absent !== null || face === null) {
      goodLooks = 0;
      isPlaced = false;
      return { hint: absent, chosen: [] };
    }
    const name = asked?.request.step;
    if (asked === null || name === undefined || neutral === null || asked.taken >= asked.request.stills)
      return atRestFor(asked, observation, face);
    return inStep(asked, name, neutral, observation, face);
  };

  const stage = (): CoachStage => {
    if (asked === null) return 'find';
    const { ask, stills } = asked.request;
    if (asked.isNextShown && neutral !== null) return 'step';
    if (ask === 'tint') return goodLooks > 0 || tintsTaken > 0 ? 'tint' : 'find';
    if (neutral === null) return 'learn';
    return asked.taken >= stills ? 'rest' : 'step';
  };

  const fraction = (): number => {
    const found = goodLooks > 0 || tintsTaken > 0 ? RING.found : 0;
    if (asked === null) return found;
    const { ask, steps_done: done, steps_expected: expected } = asked.request;
    if (ask === 'tint' && done === 0) return Math.min(RING.steps, found + tintsTaken * RING.tint);
    const isAnswered = asked.taken >= asked.request.stills;
    const present = ask === 'step' ? (isAnswered ? 1 : stepProgress * 0.8) : 0;
    return RING.steps + (1 - RING.steps) * Math.min(1, (done + present) / expected);
  };

  return {
    ask(request, nowMs, tintShownMs) {
      // A movement that was begun with the words needs no second beginning.
      const isBegun = asked?.isNextShown === true && asked.request.then === request.step;
      asked = {
        request,
        tintShownMs,
        sinceMs: nowMs,
        taken: 0,
        isArmed: isBegun,
        isNextShown: false,
        peak: createPeak(request.stills, movesOf(request.step)),
        smallSinceMs: null,
      };
      stepProgress = 0;
      sides.begin();
      // It belonged to the previous request.
      if (request.ask === 'step') lastHint = null;
    },
    observe(observation) {
      const { hint, chosen } = look(observation);
      previous = observation;
      lastHint = hint;
      return chosen;
    },
    view(nowMs) {
      // Abandoning a gesture half-way is not shown as lost progress.
      furthest = Math.max(furthest, fraction());
      const present = stage();
      const name = present === 'step' ? (asked?.request.step ?? asked?.request.then ?? null) : null;
      if (name === null) step = null;
      else if (step?.name !== name) step = { name, sinceMs: nowMs };
      return {
        stage: present,
        hint: lastHint,
        step: name,
        stepsDone: asked?.request.steps_done ?? 0,
        stepsTotal: asked?.request.steps_expected ?? 0,
        fraction: furthest,
        isAgain: step !== null && asked?.request.again === true,
        stuck: step !== null && nowMs - step.sinceMs > STUCK_AFTER_MS,
        isMirrored: sides.isMirrored(),
      };
    },
  };
}

const movesOf = (step: LivenessStep | undefined): 'head' | 'face' =>
  step === 'blink' || step === 'smile' || step === 'open_mouth' ? 'face' : 'head';

/** The step that may be shown with a colour; null for a blink, which is over before a slow connection asks for it. */
const nextOf = ({ request: { then } }: Asked): LivenessStep | null =>
  then === 'blink' ? null : (then ?? null);

/** Movement of the face's centre between two frames, in image widths per second. */
function speed(before: Observation | null, now: Observation): number {
  if (!before?.face || !now.face || now.atMs <= before.atMs) return 0;
  const moved = Math.hypot(now.face.centreX - before.face.centreX, now.face.centreY - before.face.centreY);
  return moved / ((now.atMs - before.atMs) / 1_000);
}
