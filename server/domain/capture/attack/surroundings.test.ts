/** A room stands still; the background of a picture moves with the face. */
import { expect, test } from 'vitest';
import type { FaceGeometry, Layout } from '../evidence.ts';
import { madeUpFace } from '../liveness.fixture.ts';
import { goesAlong } from './surroundings.ts';

const SIZE = { width: 640, height: 480 };

/** A room with edges, shifted `shift` cells to the right. */
const room = (shift: number): Layout => ({
  width: 64,
  height: 48,
  data: Uint8Array.from({ length: 64 * 48 }, (_, i) => {
    const [x, y] = [(i % 64) - shift, Math.floor(i / 64)];
    return 120 + 50 * Math.sin(x / 2.1) + 30 * Math.cos(y / 3);
  }),
});
const plain: Layout = { ...room(0), data: new Uint8Array(64 * 48).fill(110) };

/** Moves the face to the right by whole cells of ten pixels. */
function faceAt(cells: number): FaceGeometry {
  const face = madeUpFace();
  const landmarks = face.landmarks.map((value, i) => (i % 2 === 0 ? value + 10 * cells : value));
  const { x1, x2, y1, y2 } = face.box;
  return { ...face, landmarks, box: { x1: x1 + 10 * cells, x2: x2 + 10 * cells, y1, y2 } };
}
const seen = (cells: number, layout: Layout) => ({ ...SIZE, face: faceAt(cells), layout });

test('the room behind a moving head stands still', () => {
  expect(goesAlong(seen(0, room(0)), seen(4, room(0)))).toBeLessThan(-1);
});

test('the background of a picture moves with it', () => {
  expect(goesAlong(seen(0, room(0)), seen(4, room(4)))).toBeGreaterThan(1);
});

test('a plain wall gives no signal', () => {
  expect(goesAlong(seen(0, plain), seen(4, plain))).toBeNull();
});

test('a face that barely moved gives no signal', () => {
  expect(goesAlong(seen(0, room(0)), seen(1, room(0)))).toBeNull();
});

test('brighter light does not count as motion', () => {
  const brighter = { ...room(0), data: room(0).data.map((value) => value * 1.2) };
  expect(goesAlong(seen(0, room(0)), seen(4, brighter))).toBeLessThan(-1);
});
