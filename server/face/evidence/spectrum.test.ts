/** Cases that `cues.test.ts` does not cover: patterns at every angle, and pictures with little to measure. */
import { expect, test } from 'vitest';
import { rgbImage } from '../pictures/rgb-image.ts';
import { measureSpectrum } from './spectrum.ts';

const WIDTH = 320;
const HEIGHT = 240;
const BOX = { x1: 100, y1: 60, x2: 220, y2: 180, score: 1 };

/** A random grey for each pixel, the same at each call. */
function grain(): (x: number, y: number) => number {
  let seed = 7;
  const values = Float64Array.from(
    { length: WIDTH * HEIGHT },
    () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647,
  );
  return (x, y) => 118 + 20 * (values[(y * WIDTH + x) % values.length] ?? 0);
}

function measured(grey: (x: number, y: number) => number, width = WIDTH, height = HEIGHT) {
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++)
    data.fill(grey(i % width, Math.floor(i / width)), 3 * i, 3 * i + 3);
  return measureSpectrum(rgbImage({ data, width, height }), BOX);
}

const skin = grain();

test.each([0.2, 0.9, 1.4, 2.6])('a screen’s grid is detected, turned by %d rad', (turnRad) => {
  const grid = (x: number, y: number) =>
    10 * Math.sin((2 * Math.PI * (x * Math.cos(turnRad) + y * Math.sin(turnRad))) / 4.3);
  const screen = measured((x, y) => skin(x, y) + grid(x, y));
  expect(screen.patternDb).toBeGreaterThan(measured(skin).patternDb + 10);
});

test('a pattern that is also in the background is measured there, and null if the face leaves no room', () => {
  const grid = (x: number, y: number) => 10 * Math.sin((2 * Math.PI * (0.9 * x + 0.3 * y)) / 4.3);
  const everywhere = measured((x, y) => skin(x, y) + grid(x, y), 640, 480);
  const onFace = measured((x, y) => skin(x, y) + (x < 320 ? grid(x, y) : 0), 640, 480);
  expect(everywhere.backgroundPatternDb).toBeGreaterThan(25);
  expect(onFace.backgroundPatternDb).toBeLessThan(17);
  expect(onFace.patternDb).toBeGreaterThan(25);
  expect(measured(skin).backgroundPatternDb).toBeNull();
});

test('a frame smaller than the window, and one of a single grey, are measured as well', () => {
  for (const { patternDb } of [measured(skin, 90, 70), measured(() => 128)])
    expect(Number.isFinite(patternDb)).toBe(true);
});
