import { beforeEach, describe, expect, test } from 'vitest';
import { CAPTURE_PLAN, type LivenessStep } from '../../server/contract/flow.ts';
import { createCoach, type Coach, type CoachView, type KeptFrame } from './coach.ts';
import type { FaceMeasures } from './measure.ts';
import type { Observation } from './protocol.ts';
import { faceWith, observationOf } from './observations.fixture.ts';

const FRAME_MS = 40;
const GESTURE: Partial<Record<LivenessStep, Partial<FaceMeasures>>> = {
  turn_left: { yawRad: 0.4 },
  blink: { eyeImageLeft: 0.05, eyeImageRight: 0.05 },
  smile: { smileWidth: 0.52 },
};

let coach: Coach;
let atMs: number;
let frameId: number;
let kept: KeptFrame[];
let view: CoachView;

beforeEach(() => {
  coach = createCoach();
  [atMs, frameId, kept] = [0, 0, []];
});

/** Shows the same sight for a while. */
function show(sight: Partial<Observation>, lengthMs: number): CoachView {
  for (const end = atMs + lengthMs; atMs < end;) {
    atMs += FRAME_MS;
    frameId += 1;
    const seen = coach.observe(observationOf({ ...sight, frameId, atMs }));
    view = seen.view;
    kept.push(...seen.keep);
  }
  return view;
}
const rest = (lengthMs: number) => show({}, lengthMs);
const make = (step: LivenessStep, lengthMs = 600) => show({ face: faceWith(GESTURE[step] ?? {}) }, lengthMs);

describe('before the challenge', () => {
  test('a face at rest becomes ready within a second and a half', () => {
    expect(rest(1_500).stage).toBe('ready');
    expect(kept).toEqual([]);
  });

  test('nobody in front of the camera: asks for the face, for ever', () => {
    expect(show({ faceCount: 0, face: null }, 5_000)).toMatchObject({ stage: 'find', hint: 'no_face' });
  });

  test('who is too far is asked closer before anything is judged', () => {
    expect(show({ face: faceWith({ size: 0.2 }) }, 3_000)).toMatchObject({ stage: 'find', hint: 'too_far' });
  });

  test('a second face interrupts learning the neutral', () => {
    rest(600);
    expect(show({ faceCount: 2 }, 100)).toMatchObject({ stage: 'find', hint: 'several_faces' });
  });

  test('light is asked for, but not for ever: the server decides', () => {
    const dim = { light: { face: 20, frame: 90, spread: 40 } };
    expect(show(dim, 4_000)).toMatchObject({ stage: 'find', hint: 'too_dark' });
    expect(show(dim, 8_000).stage).toBe('ready');
  });

  test('a challenge that comes too early is not begun', () => {
    coach.begin(['blink']);
    expect(rest(200).stepsTotal).toBe(0);
  });
});

describe('with a challenge', () => {
  beforeEach(() => {
    rest(1_500);
    coach.begin(['turn_left', 'blink', 'smile']);
  });

  test('takes the neutral stills apart from each other, then asks for the first step', () => {
    expect(rest(1_000)).toMatchObject({ stage: 'step', step: 'turn_left' });
    expect(kept).toHaveLength(CAPTURE_PLAN.neutralFrames);
    const gaps = kept.slice(1).map((frame, index) => frame.atMs - (kept[index]?.atMs ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(150);
  });

  test('with tints to show, each still waits for its own, the first one too', () => {
    coach = createCoach();
    kept = [];
    rest(1_500);
    coach.begin(['blink'], { stillsApartMs: 600 });
    rest(500);
    expect(kept).toHaveLength(0);
    expect(view).toMatchObject({ stage: 'stills', stillsTaken: 0 });
    rest(3_000);
    const gaps = kept.slice(1).map((frame, index) => frame.atMs - (kept[index]?.atMs ?? 0));
    expect(kept).toHaveLength(CAPTURE_PLAN.neutralFrames);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(600);
  });

  test('goes through the steps in order, with a rest between, and keeps frames of each peak', () => {
    rest(1_000);
    for (const step of ['turn_left', 'blink', 'smile'] as const) {
      expect(rest(1_000).step).toBe(step);
      make(step);
    }
    expect(view).toMatchObject({ stage: 'done', fraction: 1, step: null });
    expect(kept.map((frame) => frame.step)).toEqual([null, null, null, null, 0, 0, 1, 1, 2, 2]);
    const times = kept.map((frame) => frame.atMs);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(new Set(kept.map((frame) => frame.frameId)).size).toBe(kept.length);
  });

  test('a gesture made before it can be read does not count', () => {
    while (view.stage !== 'step') rest(FRAME_MS);
    make('turn_left', 300);
    expect(rest(100)).toMatchObject({ stage: 'step', step: 'turn_left' });
  });

  test('another gesture than the one asked for does not count', () => {
    rest(1_000);
    make('smile', 2_000);
    expect(view.step).toBe('turn_left');
  });

  test('who takes long is offered help, and the step stays', () => {
    rest(1_000);
    expect(view.stuck).toBe(false);
    expect(rest(12_500)).toMatchObject({ stuck: true, step: 'turn_left' });
  });

  test('a face that keeps smiling does not hold up the next step', () => {
    rest(1_000);
    make('turn_left');
    show({ face: faceWith({ smileWidth: 0.52 }) }, 3_500);
    expect(view).toMatchObject({ stage: 'step', step: 'blink' });
  });

  test('a light that goes out is told, and a gesture in the dark waits for it, but not for ever', () => {
    rest(1_000);
    const dark = { light: { face: 20, frame: 90, spread: 40 } };
    expect(show(dark, 2_000)).toMatchObject({ hint: 'too_dark', step: 'turn_left' });
    show({ ...dark, face: faceWith(GESTURE.turn_left ?? {}) }, 600);
    expect(kept.filter(({ step }) => step === 0)).toHaveLength(0);
    show(dark, 8_000);
    expect(view.hint).toBeNull();
    show({ ...dark, face: faceWith(GESTURE.turn_left ?? {}) }, 600);
    show(dark, 600);
    expect(kept.filter(({ step }) => step === 0)).toHaveLength(CAPTURE_PLAN.framesPerStep);
  });

  test('a face that leaves is asked back; the step goes on', () => {
    rest(1_000);
    expect(show({ faceCount: 0, face: null }, 2_000)).toMatchObject({ hint: 'no_face', step: 'turn_left' });
    make('turn_left');
    expect(kept.filter(({ step }) => step === 0)).toHaveLength(CAPTURE_PLAN.framesPerStep);
  });

  test('progress never goes back', () => {
    let before = view.fraction;
    for (const step of ['turn_left', 'blink', 'smile'] as const) {
      for (let tick = 0; tick < 40; tick += 1) {
        rest(FRAME_MS);
        expect(view.fraction).toBeGreaterThanOrEqual(before);
        before = view.fraction;
      }
      make(step, 200);
      expect(view.fraction).toBeGreaterThanOrEqual(before);
      before = view.fraction;
      make(step);
    }
  });
});
