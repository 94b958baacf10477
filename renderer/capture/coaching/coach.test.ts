import { beforeEach, describe, expect, test } from 'vitest';
import type { CaptureRequest } from '../../../server/contract/capture.ts';
import type { LivenessStep } from '../../../server/contract/flow.ts';
import { createCoach, type ChosenFrame, type Coach, type CoachView } from './coach.ts';
import type { FaceMeasures } from '../landmarks/measure.ts';
import { faceWith, observationOf } from './observations.fixture.ts';
import type { Observation } from '../landmarks/protocol.ts';

const FRAME_MS = 40;
const TINT_SHOWN_MS = 520;
const GESTURE: Partial<Record<LivenessStep, Partial<FaceMeasures>>> = {
  turn_left: { yawRad: 0.4 },
  blink: { eyeImageLeft: 0.05, eyeImageRight: 0.05 },
  smile: { smileWidth: 0.52 },
  move_closer: { size: 0.66 },
};

let coach: Coach;
let atMs: number;
let frameId: number;
let requestId: number;
let chosen: (ChosenFrame & { atMs: number })[];
let view: CoachView;

beforeEach(() => {
  coach = createCoach();
  [atMs, frameId, requestId, chosen] = [0, 0, 0, []];
});

/** Shows the same view for a while. */
function show(sight: Partial<Observation>, lengthMs: number): CoachView {
  for (const end = atMs + lengthMs; atMs < end;) {
    atMs += FRAME_MS;
    frameId += 1;
    const answers = coach.observe(observationOf({ ...sight, frameId, atMs }));
    view = coach.view(atMs);
    chosen.push(...answers.map((frame) => ({ ...frame, atMs: frame.frameId * FRAME_MS })));
  }
  return view;
}
const rest = (lengthMs: number) => show({}, lengthMs);
const make = (step: LivenessStep, lengthMs = 600) => show({ face: faceWith(GESTURE[step] ?? {}) }, lengthMs);

function ask(request: Partial<CaptureRequest> & Pick<CaptureRequest, 'ask'>): number {
  requestId += 1;
  coach.ask(
    {
      type: 'request',
      id: requestId,
      stills: request.ask === 'step' ? 2 : 1,
      opens_in_ms: 0,
      closes_in_ms: 10_000,
      steps_done: 0,
      steps_expected: 2,
      ...request,
    },
    atMs,
    TINT_SHOWN_MS,
  );
  return requestId;
}
const answers = (id: number) => chosen.filter(({ request }) => request === id);

describe('before a step', () => {
  test('with nobody at the camera: asks for the face, for ever, and selects nothing', () => {
    ask({ ask: 'tint', tint: 'rose' });
    expect(show({ faceCount: 0, face: null }, 5_000)).toMatchObject({ stage: 'find', hint: 'no_face' });
    expect(chosen).toEqual([]);
  });

  test('the first tint is shown while the face is found, which then answers it at once, and only once', () => {
    const first = ask({ ask: 'tint', tint: 'rose' });
    show({ faceCount: 0, face: null }, 1_000);
    rest(1_000);
    expect(answers(first)).toHaveLength(1);
    expect(answers(first)[0]?.atMs).toBeLessThan(1_200);
  });

  test('a face that is too far is asked to come closer before anything is selected', () => {
    ask({ ask: 'tint', tint: 'rose' });
    expect(show({ face: faceWith({ size: 0.2 }) }, 3_000)).toMatchObject({ hint: 'too_far' });
    expect(chosen).toEqual([]);
  });

  test('more light is requested, but not for ever: the server decides', () => {
    ask({ ask: 'tint', tint: 'rose' });
    const dim = { light: { face: 20, frame: 90, spread: 40 } };
    expect(show(dim, 4_000)).toMatchObject({ hint: 'too_dark' });
    expect(chosen).toHaveLength(0);
    show(dim, 8_000);
    expect(chosen).toHaveLength(1);
  });

  test('the still of a tint waits until the tint has been shown', () => {
    rest(1_000);
    const tint = ask({ ask: 'tint', tint: 'rose' });
    rest(TINT_SHOWN_MS - FRAME_MS);
    expect(answers(tint)).toHaveLength(0);
    rest(FRAME_MS);
    expect(answers(tint)).toHaveLength(1);
  });

  test('a head that is turned or moving answers no tint', () => {
    rest(1_000);
    const tint = ask({ ask: 'tint', tint: 'rose' });
    expect(show({ face: faceWith({ yawRad: 0.5 }) }, 1_500)).toMatchObject({ hint: 'look_straight' });
    expect(answers(tint)).toHaveLength(0);
  });

  describe('a colour that tells the next step', () => {
    const seen = (then: LivenessStep, frameMs = FRAME_MS) => {
      rest(1_000);
      const tint = ask({ ask: 'tint', tint: 'rose', then });
      const steps: { atMs: number; step: string | null }[] = [];
      const askedAtMs = atMs;
      while (answers(tint).length === 0) {
        show({}, frameMs);
        steps.push({ atMs: atMs - askedAtMs, step: view.step });
      }
      return steps;
    };

    test('shows it with its own still, and not before, because somebody may move at once', () => {
      expect(seen('smile').findIndex(({ step }) => step === 'smile')).toBe(TINT_SHOWN_MS / FRAME_MS - 1);
    });

    test('shows no blink, which is over before a slow connection asks for it', () => {
      expect(seen('blink').every(({ step }) => step === null)).toBe(true);
    });

    test('a movement begun before the request arrives counts, and is no reason for a hint', () => {
      seen('smile');
      expect(make('smile', 200)).toMatchObject({ step: 'smile', hint: null });
      const step = ask({ ask: 'step', step: 'smile' });
      make('smile');
      expect(answers(step)).toHaveLength(2);
    });
  });

  test('a step that begins before the neutral is known waits for it', () => {
    ask({ ask: 'step', step: 'blink' });
    expect(rest(200)).toMatchObject({ stage: 'learn', step: null });
    expect(rest(400)).toMatchObject({ stage: 'step', step: 'blink' });
  });
});

describe('a step', () => {
  beforeEach(() => {
    rest(1_000);
  });

  test('is answered with the stills of its peak', () => {
    const step = ask({ ask: 'step', step: 'turn_left' });
    rest(400);
    expect(view).toMatchObject({ stage: 'step', step: 'turn_left' });
    make('turn_left');
    expect(answers(step)).toHaveLength(2);
    expect(view).toMatchObject({ stage: 'rest', step: null });
  });

  test('is not answered before the server counts it', () => {
    const step = ask({ ask: 'step', step: 'smile', opens_in_ms: 400 });
    make('smile', 360);
    expect(answers(step)).toHaveLength(0);
  });

  test('is not answered by the rest of the previous gesture', () => {
    ask({ ask: 'step', step: 'turn_left' });
    rest(200);
    make('turn_left');
    const again = ask({ ask: 'step', step: 'turn_left', steps_done: 1 });
    make('turn_left', 1_000);
    expect(answers(again)).toHaveLength(0);
    rest(200);
    make('turn_left');
    expect(answers(again)).toHaveLength(2);
  });

  test('is not answered by another gesture', () => {
    const step = ask({ ask: 'step', step: 'turn_left' });
    make('smile', 2_000);
    expect(answers(step)).toHaveLength(0);
    expect(view.step).toBe('turn_left');
  });

  test('a face that keeps smiling does not block the next step', () => {
    const step = ask({ ask: 'step', step: 'smile' });
    make('smile', 4_000);
    expect(answers(step)).toHaveLength(2);
  });

  test.each([
    ['turn_left', { yawRad: 1 }],
    ['look_up', { pitchRad: 0.6 }],
  ] as const)('a head that goes too far gets that hint, and no other: %s', (step, far) => {
    ask({ ask: 'step', step });
    rest(200);
    expect(show({ face: faceWith(far) }, 200)).toMatchObject({ hint: 'not_so_far', step });
  });

  test('a gesture that is held too small asks for a little more', () => {
    const step = ask({ ask: 'step', step: 'turn_left' });
    rest(200);
    const half = { face: faceWith({ yawRad: 0.22 }) };
    expect(show(half, 400).hint).toBeNull();
    expect(show(half, 1_000)).toMatchObject({ hint: 'more', step: 'turn_left' });
    expect(answers(step)).toEqual([]);
    make('turn_left');
    expect(answers(step)).toHaveLength(2);
  });

  test.each([
    ['blink', { eyeImageLeft: 0.24, eyeImageRight: 0.224 }],
    ['turn_left', { yawRad: 0.8 }],
    ['look_up', { pitchRad: 0.9 }],
  ] as const)('lowered lids or a head turned too far are not taken just below the mark: %s', (name, held) => {
    const step = ask({ ask: 'step', step: name });
    rest(200);
    show({ face: faceWith(held) }, 2_000);
    expect(answers(step)).toEqual([]);
  });

  test('a person who came closer is not asked to move back', () => {
    ask({ ask: 'step', step: 'move_closer' });
    rest(200);
    make('move_closer');
    ask({ ask: 'step', step: 'smile', steps_done: 1 });
    expect(make('move_closer', 1_000).hint).toBeNull();
  });

  test('a step that takes long offers help, and stays', () => {
    ask({ ask: 'step', step: 'turn_left' });
    expect(rest(200).stuck).toBe(false);
    expect(rest(12_500)).toMatchObject({ stuck: true, step: 'turn_left' });
  });

  test('a step that is asked for again is said in other words at once', () => {
    ask({ ask: 'step', step: 'turn_left' });
    expect(rest(200).isAgain).toBe(false);
    ask({ ask: 'step', step: 'turn_left', again: true });
    expect(rest(200)).toMatchObject({ isAgain: true, step: 'turn_left' });
    ask({ ask: 'step', step: 'smile' });
    expect(rest(200).isAgain).toBe(false);
  });

  test('a light that goes out is reported, and a gesture in the dark waits for it, but not for ever', () => {
    const step = ask({ ask: 'step', step: 'turn_left' });
    const dark = { light: { face: 20, frame: 90, spread: 40 } };
    expect(show(dark, 2_000)).toMatchObject({ hint: 'too_dark', step: 'turn_left' });
    show({ ...dark, face: faceWith(GESTURE.turn_left ?? {}) }, 600);
    expect(answers(step)).toHaveLength(0);
    show(dark, 8_000);
    show({ ...dark, face: faceWith(GESTURE.turn_left ?? {}) }, 600);
    expect(answers(step)).toHaveLength(2);
  });

  test('a face that leaves is asked to return; the step stays', () => {
    const step = ask({ ask: 'step', step: 'turn_left' });
    expect(show({ faceCount: 0, face: null }, 2_000)).toMatchObject({ hint: 'no_face', step: 'turn_left' });
    rest(200);
    make('turn_left');
    expect(answers(step)).toHaveLength(2);
  });
});

test('progress never decreases', () => {
  let before = 0;
  const grows = (next: CoachView) => {
    expect(next.fraction).toBeGreaterThanOrEqual(before);
    before = next.fraction;
  };
  ask({ ask: 'tint', tint: 'rose' });
  grows(rest(300));
  for (const tint of ['rose', 'mint', 'warm', 'cool'] as const) {
    ask({ ask: 'tint', tint });
    grows(rest(700));
  }
  for (const [done, step] of (['turn_left', 'blink'] as const).entries()) {
    ask({ ask: 'step', step, steps_done: done });
    for (let tick = 0; tick < 10; tick += 1) grows(rest(FRAME_MS));
    grows(make(step, 160));
    grows(rest(FRAME_MS));
    grows(make(step));
  }
  expect(before).toBeCloseTo(1);
});
