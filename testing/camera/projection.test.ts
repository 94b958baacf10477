import { expect, test } from 'vitest';
import { OVAL } from './face-points.ts';
import { headModel } from './head-model.ts';
import { clipFrames } from './motion.ts';
import { AT_REST, project, type HeadState } from './projection.ts';
import type { Still } from './still.ts';
import type { Vec3 } from './vectors.ts';

/** A face of 200 × 240 px whose nose (point 1) protrudes by 60 px. */
const landmarks = Array.from({ length: 478 }, (): Vec3 => [320, 240, 0]);
OVAL.forEach((index, at) => {
  const angle = (2 * Math.PI * at) / OVAL.length;
  landmarks[index] = [320 + 100 * Math.sin(angle), 240 - 120 * Math.cos(angle), 0];
});
landmarks[1] = [320, 250, -60];
const size = { width: 640, height: 480 };
const downward = (8 * Math.PI) / 180;
/** Looks straight at the camera: MediaPipe reports a pitch of -8 degrees for such a face. */
/* oxfmt-ignore */
const matrix = [
  1, 0, 0, 0,
  0, Math.cos(downward), Math.sin(downward), 0,
  0, -Math.sin(downward), Math.cos(downward), 0,
  0, 0, -40, 1,
];
const still: Still = { size, pixels: new Uint8Array(3 * 640 * 480), landmarks, matrix };
const noseAt = (change: Partial<HeadState>, flat = false) =>
  project(headModel(still, [], flat), { ...AT_REST, ...change }, flat)[1]!;

test('a head at rest reproduces the photo', () => {
  const [x, y] = noseAt({});
  expect(x).toBeCloseTo(320, 1);
  expect(Math.abs(y - 250)).toBeLessThan(2);
});

test('turning to the person’s own left moves the nose to the image’s right, looking up moves it up', () => {
  expect(noseAt({ yawDeg: 25 })[0]).toBeGreaterThan(335);
  expect(noseAt({ yawDeg: -25 })[0]).toBeLessThan(305);
  expect(noseAt({ pitchDeg: 17 })[1]).toBeLessThan(noseAt({})[1] - 10);
});

test('the nose of a photograph does not turn: it stays where the plane has it', () => {
  expect(Math.abs(noseAt({ yawDeg: 30 }, true)[0] - 320)).toBeLessThan(2);
});

test('coming closer enlarges the face by the requested factor', () => {
  const points = project(headModel(still, [], true), { ...AT_REST, closer: 1.4 }, true);
  const width = points[OVAL[9]!]![0] - points[OVAL[27]!]![0];
  expect(width).toBeCloseTo(1.4 * 200, 0);
});

test('each step has frames at its peak, and idling has none', () => {
  expect(clipFrames('idle', false).some(({ atPeak }) => atPeak)).toBe(false);
  for (const clip of ['turn_left', 'blink', 'move_closer'] as const) {
    expect(clipFrames(clip, false).filter(({ atPeak }) => atPeak).length).toBeGreaterThan(4);
    expect(clipFrames(clip, true).filter(({ atPeak }) => atPeak).length).toBeGreaterThan(4);
  }
});
