/**
 * Leads a person through one capture, one thing at a time: find the face, learn its neutral, take the neutral
 * stills, then each step at its peak with a rest between. Pure: observations in, a view and frames to keep out.
 */
import { CAPTURE_PLAN, type LivenessStep } from '../../server/contract/flow.ts';
import type { CoachHint } from '../i18n/messages.ts';
import { atRest, gestureProgress, isTurnedTooFar, neutralOf, type Neutral } from './gestures.ts';
import type { FaceMeasures } from './measure.ts';
import type { Observation } from './protocol.ts';
import { createPeak, type Peak } from './peak.ts';
import { lightHint, placeHint, presenceHint } from './quality.ts';

/** `ready` waits for a challenge: call `begin`. */
export type CoachStage = 'find' | 'baseline' | 'ready' | 'stills' | 'step' | 'rest' | 'done';

export type CoachView = {
  stage: CoachStage;
  hint: CoachHint | null;
  /** The step that is asked for now. */
  step: LivenessStep | null;
  stepsDone: number;
  /** Neutral stills that are taken: during `stills` also the number of the one that comes next. */
  stillsTaken: number;
  stepsTotal: number;
  /** Of the whole capture, 0 to 1. */
  fraction: number;
  /** The present step takes long: offer help. */
  stuck: boolean;
};

/** A frame to keep. `step` is an index into the challenge's steps, null for a neutral still. */
export type KeptFrame = { frameId: number; atMs: number; step: number | null };

export type Coach = {
  observe: (observation: Observation) => { view: CoachView; keep: readonly KeptFrame[] };
  /** Starts the steps of a challenge; stills and steps come from frames after this. */
  begin: (steps: readonly LivenessStep[], options?: { stillsApartMs?: number }) => void;
};

/** Good looks in a row before the neutral is learned. */
const STEADY_LOOKS = 5;
const BASELINE_LOOKS = 20;
const STILLS_APART_MS = 170;
/** A step shows at least this long before it can be done, so that it can be read. */
const STEP_SHOWN_MS = 450;
const STUCK_AFTER_MS = 12_000;
const REST_LOOKS = 3;
/** A face that does not come back to rest, such as one that keeps smiling, does not hold the next step for ever. */
const REST_AT_MOST_MS = 2_500;
/** Light is asked for this long; then the server decides on the pictures. */
const LIGHT_HINTS_MS = 8_000;
/** Faster than this (image widths per second) the neutral would be smeared. */
const STILL_SPEED = 0.35;
/** Share of the ring that is filled when the neutral is known, and when the stills are taken. */
const RING = { baseline: 0.14, stills: 0.24 } as const;

export function createCoach(): Coach {
  let stage: CoachStage = 'find';
  let steps: readonly LivenessStep[] = [];
  let stepIndex = 0;
  let goodLooks = 0;
  let faces: FaceMeasures[] = [];
  let neutral: Neutral | null = null;
  let stills = 0;
  let lastStillMs = -Infinity;
  let apartMs: number | null = null;
  let peak: Peak = createPeak(CAPTURE_PLAN.framesPerStep);
  let stageSinceMs: number | null = null;
  let stepProgress = 0;
  let lightSinceMs: number | null = null;
  let previous: Observation | null = null;
  let furthest = 0;
  let isPlaced = false;

  const enter = (next: CoachStage) => {
    stage = next;
    stageSinceMs = null;
    goodLooks = 0;
    stepProgress = 0;
  };

  /** What is wrong with the light, or null; null as well once it has been asked for long enough. */
  const badLight = ({ light, atMs }: Observation): CoachHint | null => {
    const hint = lightHint(light);
    if (hint === null) return null;
    lightSinceMs ??= atMs;
    return atMs - lightSinceMs < LIGHT_HINTS_MS ? hint : null;
  };

  /** The hint that keeps a face at rest from being used, or null. */
  const restHint = (observation: Observation, face: FaceMeasures): CoachHint | null => {
    const light = badLight(observation);
    if (light !== null) return light;
    const place = placeHint(face, isPlaced);
    isPlaced = place === null;
    return place ?? (speed(previous, observation) > STILL_SPEED ? 'hold_still' : null);
  };

  const look = (observation: Observation): { hint: CoachHint | null; keep: readonly KeptFrame[] } => {
    const nothing = (hint: CoachHint | null) => ({ hint, keep: [] });
    const { face, frameId, atMs } = observation;
    const absent = presenceHint(observation);
    if (absent !== null || face === null) {
      goodLooks = 0;
      if (stage === 'baseline') enter('find');
      return nothing(absent);
    }
    const inStageMs = atMs - (stageSinceMs ??= atMs);
    switch (stage) {
      case 'find': {
        const hint = restHint(observation, face);
        goodLooks = hint === null ? goodLooks + 1 : 0;
        if (goodLooks >= STEADY_LOOKS) {
          faces = [];
          enter('baseline');
        }
        return nothing(hint);
      }
      case 'baseline': {
        const hint = restHint(observation, face);
        if (hint === null) faces.push(face);
        if (faces.length >= BASELINE_LOOKS) {
          neutral = neutralOf(faces);
          enter('ready');
        }
        return nothing(hint);
      }
      case 'ready':
      case 'done':
        return nothing(null);
      case 'stills': {
        if (neutral === null || !atRest(face, neutral)) return nothing('look_straight');
        // Given a time, the first still waits for it as well: the page has only just changed.
        const since = apartMs === null ? lastStillMs : Math.max(lastStillMs, atMs - inStageMs);
        if (atMs - since < (apartMs ?? STILLS_APART_MS)) return nothing(null);
        lastStillMs = atMs;
        stills += 1;
        if (stills >= CAPTURE_PLAN.neutralFrames) enter(steps.length === 0 ? 'done' : 'step');
        return { hint: null, keep: [{ frameId, atMs, step: null }] };
      }
      case 'step': {
        const step = steps[stepIndex];
        if (step === undefined || neutral === null || inStageMs < STEP_SHOWN_MS) return nothing(null);
        // A light that goes out meanwhile; glare may come and go with the gesture itself.
        if (badLight(observation) === 'too_dark') return nothing('too_dark');
        const progress = gestureProgress(step, face, neutral);
        stepProgress = Math.max(0, Math.min(1, progress));
        const frames = peak.observe({ frameId, atMs, progress });
        if (frames === null) return nothing(isTurnedTooFar(step, face, neutral) ? 'not_so_far' : null);
        const keep = frames.map((frame) => ({ frameId: frame.frameId, atMs: frame.atMs, step: stepIndex }));
        stepIndex += 1;
        enter(stepIndex === steps.length ? 'done' : 'rest');
        return { hint: null, keep };
      }
      case 'rest': {
        goodLooks = neutral !== null && atRest(face, neutral) ? goodLooks + 1 : 0;
        if (goodLooks >= REST_LOOKS || inStageMs > REST_AT_MOST_MS) {
          peak = createPeak(CAPTURE_PLAN.framesPerStep);
          enter('step');
          return nothing(null);
        }
        return nothing('look_straight');
      }
    }
  };

  const fraction = (): number => {
    switch (stage) {
      case 'find':
        return 0;
      case 'baseline':
        return (faces.length / BASELINE_LOOKS) * RING.baseline;
      case 'ready':
        return RING.baseline;
      case 'stills':
        return RING.baseline + (stills / CAPTURE_PLAN.neutralFrames) * (RING.stills - RING.baseline);
      case 'step':
      case 'rest':
        return RING.stills + ((stepIndex + stepProgress * 0.8) / steps.length) * (1 - RING.stills);
      case 'done':
        return 1;
    }
  };

  return {
    observe(observation) {
      const { hint, keep } = look(observation);
      previous = observation;
      // A gesture that is let go half-way is no loss to be shown.
      furthest = Math.max(furthest, fraction());
      return {
        keep,
        view: {
          stage,
          hint,
          step: stage === 'step' ? (steps[stepIndex] ?? null) : null,
          stepsDone: stepIndex,
          stillsTaken: stills,
          stepsTotal: steps.length,
          fraction: furthest,
          stuck:
            stage === 'step' && stageSinceMs !== null && observation.atMs - stageSinceMs > STUCK_AFTER_MS,
        },
      };
    },
    begin(challenge, { stillsApartMs } = {}) {
      if (stage !== 'ready') return;
      steps = challenge;
      apartMs = stillsApartMs ?? null;
      enter('stills');
    },
  };
}

/** Movement of the face's middle between two looks, image widths per second. */
function speed(before: Observation | null, now: Observation): number {
  if (!before?.face || !now.face || now.atMs <= before.atMs) return 0;
  const moved = Math.hypot(now.face.centreX - before.face.centreX, now.face.centreY - before.face.centreY);
  return moved / ((now.atMs - before.atMs) / 1_000);
}
