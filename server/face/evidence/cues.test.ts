/** Cues of screens and paper, on drawn pictures with known answers. */
import { expect, test } from 'vitest';
import { measureCues } from './cues.ts';
import { rgbImage } from '../pictures/rgb-image.ts';

const WIDTH = 640;
const HEIGHT = 480;
const BOX = { x1: 240, y1: 120, x2: 400, y2: 340, score: 1 };

/** Repeatable noise, −1 to 1. */
function noise(): () => number {
  let state = 7;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 31 - 1;
}

function drawn(luma: (x: number, y: number) => number) {
  const data = new Uint8Array(3 * WIDTH * HEIGHT);
  const grain = noise();
  for (let i = 0; i < WIDTH * HEIGHT; i++) {
    const value = luma(i % WIDTH, Math.floor(i / WIDTH)) + 4 * grain();
    data.fill(Math.min(255, Math.max(0, Math.round(value))), 3 * i, 3 * i + 3);
  }
  return rgbImage({ data, width: WIDTH, height: HEIGHT });
}

const skin = (x: number, y: number) => 130 + 40 * Math.sin(x / 60) * Math.cos(y / 75);

test('a faint regular pattern is detected in noise that hides it from the eye', () => {
  const plain = measureCues(drawn(skin), BOX).patternDb;
  const screen = measureCues(
    drawn((x, y) => skin(x, y) + 2 * Math.sin(2 * Math.PI * (0.27 * x + 0.06 * y))),
    BOX,
  ).patternDb;
  expect(plain).toBeLessThan(16);
  expect(screen).toBeGreaterThan(22);
});

test('the blocks of a JPEG do not count as a pattern', () => {
  const blocks = (x: number, y: number) => skin(x, y) + (x % 8 === 0 || y % 8 === 0 ? 5 : 0);
  expect(measureCues(drawn(blocks), BOX).patternDb).toBeLessThan(17);
});

test('a rim on both sides is detected on both, a door frame on one', () => {
  const sheet = (x: number, y: number) => (x > 150 + 0.05 * y && x < 500 + 0.05 * y ? 150 : 60);
  const [left, right, above] = measureCues(drawn(sheet), BOX).borders;
  expect(Math.min(left, right)).toBeGreaterThan(0.9);
  expect(above).toBeLessThan(0.5);
  const door = measureCues(
    drawn((x) => (x > 520 ? 60 : 140)),
    BOX,
  ).borders;
  expect(door[1]).toBeGreaterThan(0.9);
  expect(door[0]).toBeLessThan(0.3);
});

test('the layout is the picture in cells, in portrait and landscape', () => {
  const { layout } = measureCues(
    drawn((x) => (x < WIDTH / 2 ? 40 : 200)),
    BOX,
  );
  expect([layout.width, layout.height, layout.data.length]).toEqual([64, 48, 64 * 48]);
  expect(layout.data[10]).toBeCloseTo(40, -1);
  expect(layout.data[50]).toBeCloseTo(200, -1);
});
