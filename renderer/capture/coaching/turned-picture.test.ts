import { expect, test } from 'vitest';
import type { LivenessStep } from '../../../server/contract/flow.ts';
import type { FaceMeasures } from '../landmarks/measure.ts';
import type { Observation } from '../landmarks/protocol.ts';
import { createCoach } from './coach.ts';
import { faceWith, observationOf } from './observations.fixture.ts';

const FRAME_MS = 40;

function capture() {
  const coach = createCoach();
  let atMs = 0;
  let id = 0;
  const show = (sight: Partial<Observation>, lengthMs: number) => {
    for (const end = atMs + lengthMs; atMs < end;) {
      atMs += FRAME_MS;
      coach.observe(observationOf({ ...sight, frameId: atMs, atMs }));
    }
    return coach.view(atMs);
  };
  return {
    show,
    face: (change: Partial<FaceMeasures>, lengthMs: number) => show({ face: faceWith(change) }, lengthMs),
    ask: (step?: LivenessStep) => {
      id += 1;
      const asked =
        step === undefined ? { ask: 'tint' as const, tint: 'rose' as const } : { ask: 'step' as const, step };
      const times = { opens_in_ms: 0, closes_in_ms: 10_000, steps_done: 0, steps_expected: 2 };
      coach.ask({ type: 'request', id, stills: 2, ...times, ...asked }, atMs, 0);
    },
  };
}

test.each([90, -90, 180])(
  'a face turned by %i° says that the picture is turned, not to look straight',
  (turn) => {
    const { face, ask } = capture();
    ask();
    expect(face({ rollRad: (turn * Math.PI) / 180 }, 2_000).hint).toBe('turned');
  },
);

test('a face that is found only in the turned picture says so too', () => {
  const { show, ask } = capture();
  ask();
  expect(show({ faceCount: 0, face: null, isTurned: true }, 2_000).hint).toBe('turned');
});

test('a head that is tilted for a moment is asked to look straight', () => {
  const { face, ask } = capture();
  ask();
  expect(face({ rollRad: 1.3 }, 400).hint).toBe('look_straight');
  expect(face({ rollRad: 0.6 }, 3_000).hint).toBe('look_straight');
});

test('a turn to the wrong side asks for the other side, and passes there', () => {
  const { face, ask } = capture();
  ask();
  face({}, 1_000);
  ask('turn_left');
  face({}, 400);
  expect(face({ yawRad: -0.45 }, 1_200)).toMatchObject({ hint: 'other_side', isMirrored: false });
  expect(face({ yawRad: 0.1 }, 200).hint).toBeNull();
});

test('a second turn to the wrong side is the camera: its picture is mirrored', () => {
  const { face, ask } = capture();
  ask();
  face({}, 1_000);
  for (const [step, yawRad] of [
    ['turn_left', -0.45],
    ['turn_right', 0.45],
  ] as const) {
    ask(step);
    face({}, 400);
    face({ yawRad }, 1_200);
  }
  expect(face({ yawRad: 0.45 }, 200)).toMatchObject({ hint: 'other_side', isMirrored: true });
});

test('the same turn to the wrong side twice is the camera as well', () => {
  const { face, ask } = capture();
  ask();
  face({}, 1_000);
  ask('turn_left');
  for (let time = 0; time < 2; time += 1) {
    face({}, 400);
    face({ yawRad: -0.45 }, 1_200);
  }
  expect(face({ yawRad: -0.45 }, 40).isMirrored).toBe(true);
});
