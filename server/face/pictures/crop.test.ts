import sharp from 'sharp';
import { expect, test } from 'vitest';
import { cropFace, FACE_CROP_PX, showsWholeHead } from './crop.ts';

test('the crop is the face alone, at most 320 pixels wide, without metadata', async () => {
  const [width, height] = [1280, 720];
  const marker = await sharp({ create: { width: 80, height: 80, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer();
  const still = await sharp({ create: { width, height, channels: 3, background: '#20a040' } })
    .composite([{ input: marker, left: 860, top: 200 }])
    .withExif({ IFD0: { Artist: 'SECRET-DEVICE' } })
    .jpeg({ quality: 95 })
    .toBuffer();
  expect(still.includes('SECRET-DEVICE')).toBe(true);
  const eyes = { width, height, eyesX: 900, eyesY: 240, interocularPx: 100, rollRad: 0.1 };
  const { jpeg, framing } = await cropFace(still, eyes);
  const { width: side, height: tall, format, exif, icc, xmp } = await sharp(jpeg).metadata();
  expect({ side, tall, format, exif, icc, xmp }).toEqual({
    side: FACE_CROP_PX,
    tall: FACE_CROP_PX,
    format: 'jpeg',
    exif: undefined,
    icc: undefined,
    xmp: undefined,
  });
  expect(framing).toMatchObject({ width: 320, height: 320, rollRad: 0.1 });
  expect(framing.interocularPx).toBeCloseTo((100 * 320) / 460);
  const pixels = await sharp(jpeg).raw().toBuffer();
  const at = (x: number, y: number) => [...pixels.subarray(3 * (y * 320 + x), 3 * (y * 320 + x) + 3)];
  const [red, green] = at(Math.round(framing.eyesX), Math.round(framing.eyesY));
  expect(red).toBeGreaterThan(200);
  expect(green).toBeLessThan(60);
  expect(at(5, 5)[1]).toBeGreaterThan(120);
});

test('a face at the edge of the still stays in place, and a small one is not enlarged', async () => {
  const still = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#888888' } })
    .jpeg()
    .toBuffer();
  const edge = { width: 640, height: 480, eyesX: 630, eyesY: 10, interocularPx: 50, rollRad: 0 };
  const { framing } = await cropFace(still, edge);
  expect(framing).toMatchObject({ width: 230, height: 230, eyesX: 220, eyesY: 10 });
  expect(showsWholeHead(edge)).toBe(false);
  expect(showsWholeHead({ ...edge, eyesX: 320, eyesY: 240 })).toBe(true);
});

test('a still that the engine reads despite stray bytes is cropped as well', async () => {
  const still = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#888888' } })
    .jpeg()
    .toBuffer();
  const endOfHeader = 4 + still.readUInt16BE(4);
  const stray = Buffer.concat([still.subarray(0, endOfHeader), Buffer.alloc(3), still.subarray(endOfHeader)]);
  const eyes = { width: 640, height: 480, eyesX: 320, eyesY: 200, interocularPx: 60, rollRad: 0 };
  expect((await cropFace(stray, eyes)).framing.width).toBe(276);
});
