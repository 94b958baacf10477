import sharp from 'sharp';
import { expect, test } from 'vitest';
import { onPlate } from './logo-plate.ts';

const draw = (drawing: string, ground = 'none') =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="50"><rect width="200" height="50" fill="${ground}"/>${drawing}</svg>`,
    ),
  )
    .png()
    .toBuffer();
const bars = (colour: string) =>
  `<g fill="${colour}"><rect x="10" y="10" width="30" height="30"/><rect x="60" y="20" width="120" height="12"/></g>`;

const LIGHT = [247, 245, 242, 255];
const DARK = [25, 23, 21, 255];

/** Colours in the middle of the left edge, where the plate shows, and in the corner. */
async function edgeOf(png: Buffer) {
  const { data, info } = await sharp(await onPlate(png))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4),
  ];
  return { height: info.height, middle: at(2, Math.floor(info.height / 2)), corner: at(0, 0)[3] };
}

test.each([
  ['a dark logo', bars('#1b1b3a'), LIGHT],
  ['a white logo', bars('#ffffff'), DARK],
  [
    'dark words and a coloured sign',
    '<rect x="60" y="20" width="120" height="12" fill="#111"/><circle cx="25" cy="25" r="15" fill="#0a7d7d"/>',
    LIGHT,
  ],
])('%s on nothing gets a plate with rounded corners on which it is seen', async (_what, drawing, plate) => {
  expect(await edgeOf(await draw(drawing))).toEqual({ height: 62, middle: plate, corner: 0 });
});

test.each([
  ['a colour that is seen on both grounds', bars('#0a7d7d'), 'none'],
  [
    'white inside such a colour',
    `<rect x="5" y="5" width="190" height="40" fill="#0a7d7d"/>${bars('#fff')}`,
    'none',
  ],
  ['a logo with a ground of its own', bars('#ffffff'), '#1b1b3a'],
])('%s stays as it is', async (_what, drawing, ground) => {
  const png = await draw(drawing, ground);
  expect(await onPlate(png)).toBe(png);
});
