import { expect, test } from 'vitest';
import { measureFace, type Point } from './measure.ts';

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** Column-major rotation: first about the vertical axis, y up, z toward the camera. */
const turned = (yaw: number) => [
  Math.cos(yaw),
  0,
  -Math.sin(yaw),
  0,
  0,
  1,
  0,
  0,
  Math.sin(yaw),
  0,
  Math.cos(yaw),
  0,
  0,
  0,
  0,
  1,
];
const nodded = (pitch: number) => [
  1,
  0,
  0,
  0,
  0,
  Math.cos(pitch),
  -Math.sin(pitch),
  0,
  0,
  Math.sin(pitch),
  Math.cos(pitch),
  0,
  0,
  0,
  0,
  1,
];

/** 478 points in the centre, some of them placed. */
function mesh(placed: Record<number, [x: number, y: number]>): Point[] {
  return Array.from({ length: 478 }, (_, index) => {
    const [x, y] = placed[index] ?? [0.5, 0.5];
    return { x, y, z: 0 };
  });
}

test('the nose toward the right of the unmirrored image is a positive yaw', () => {
  expect(measureFace(mesh({}), turned(0.3), 640, 480).yawRad).toBeCloseTo(0.3);
  expect(measureFace(mesh({}), turned(-0.3), 640, 480).yawRad).toBeCloseTo(-0.3);
});

test('looking up is a positive pitch', () => {
  expect(measureFace(mesh({}), nodded(0.2), 640, 480).pitchRad).toBeCloseTo(0.2);
});

test('an eye measures the same in a wide and in a tall image', () => {
  const eye = (widthPx: number, heightPx: number) => {
    const at = (x: number, y: number): [number, number] => [x / widthPx, y / heightPx];
    const points = mesh({
      33: at(100, 100),
      133: at(140, 100),
      160: at(110, 94),
      144: at(110, 106),
      158: at(130, 94),
      153: at(130, 106),
    });
    return measureFace(points, IDENTITY, widthPx, heightPx).eyeImageLeft;
  };
  expect(eye(640, 480)).toBeCloseTo(0.3);
  expect(eye(480, 640)).toBeCloseTo(0.3);
});

test('size is the height of the face divided by the shorter side', () => {
  const points = mesh({ 10: [0.5, 0.25], 152: [0.5, 0.75] });
  expect(measureFace(points, IDENTITY, 640, 480).size).toBeCloseTo(0.5);
  expect(measureFace(points, IDENTITY, 480, 640).size).toBeCloseTo(2 / 3);
});

test('a mesh with nothing to measure gives zeros, not NaN', () => {
  const { eyeImageLeft, mouthOpening, smileWidth } = measureFace(mesh({}), IDENTITY, 640, 480);
  expect([eyeImageLeft, mouthOpening, smileWidth]).toEqual([0, 0, 0]);
});
