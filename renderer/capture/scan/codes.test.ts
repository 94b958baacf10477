import { encodeQR } from 'qr';
import { decodeQR } from 'qr/decode.js';
import { expect, test } from 'vitest';
import { codesIn, mirror } from './codes.ts';

const OURS = 'https://venue.example/invite/abcdef';
const MENU = 'https://bar.example/menu';

type Shown = { text: string; left: number; top: number; modulePx: number };

/** A camera's picture of these codes on a grey wall. */
function pictureOf(...shown: Shown[]) {
  const [width, height] = [800, 600];
  const data = new Uint8ClampedArray(4 * width * height).fill(128);
  for (const { text, left, top, modulePx } of shown) {
    const modules = encodeQR(text, 'raw', { border: 4 });
    for (const [row, line] of modules.entries())
      for (const [column, isDark] of line.entries())
        for (let y = 0; y < modulePx; y += 1) {
          const from = 4 * ((top + row * modulePx + y) * width + left + column * modulePx);
          data.fill(isDark ? 0 : 255, from, from + 4 * modulePx);
        }
  }
  return { width, height, data };
}

const textsOf = (picture: ReturnType<typeof pictureOf>) => codesIn(picture, decodeQR).map(({ text }) => text);

test('every code of a picture is found, the largest first', () => {
  const picture = pictureOf(
    { text: MENU, left: 20, top: 20, modulePx: 3 },
    { text: OURS, left: 320, top: 150, modulePx: 8 },
    { text: 'WIFI:S:guests;;', left: 20, top: 400, modulePx: 4 },
  );
  expect(textsOf(picture)).toEqual([OURS, 'WIFI:S:guests;;', MENU]);
});

test('of two codes of one size, the one in the middle is first', () => {
  const picture = pictureOf(
    { text: MENU, left: 5, top: 5, modulePx: 5 },
    { text: OURS, left: 320, top: 220, modulePx: 5 },
  );
  expect(textsOf(picture)[0]).toBe(OURS);
});

test('a mirrored code is read in the mirrored picture', () => {
  const picture = pictureOf({ text: OURS, left: 300, top: 150, modulePx: 8 });
  mirror(picture);
  expect(textsOf({ ...picture, data: picture.data.slice() })).toEqual([]);
  mirror(picture);
  expect(textsOf(picture)).toEqual([OURS]);
});

test('a picture without a code has none', () => {
  expect(textsOf(pictureOf())).toEqual([]);
});
