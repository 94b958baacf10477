import { describe, expect, it } from 'vitest';
import { fitSimilarity } from '../../domain/matching/similarity.ts';
import { fill } from '../models/model.ts';
import { planes, resizeCrop, warp } from './resample.ts';
import { rgbImage, type RgbImage } from './rgb-image.ts';

/** Red increases to the right, green downward, blue is constant. */
function ramp(width: number, height: number): RgbImage {
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++)
      data.set([(200 * x) / width, (200 * y) / height, 77], (y * width + x) * 3);
  }
  return rgbImage({ data, width, height });
}

describe('crops of a picture', () => {
  it.each([1, 2, 3.3, 7, 20])('keep smooth colours in place when shrunk %s times', (factor) => {
    const image = ramp(400, 400);
    const side = 12;
    const out = resizeCrop(
      image,
      { x: 40, y: 60, width: side * factor, height: side * factor },
      planes(side, side),
    );
    for (const [x, y] of [
      [2, 3],
      [6, 6],
      [9, 8],
    ] as const) {
      const i = y * side + x;
      // Within one grey level, and the half-pixel offset of the halvings.
      expect(Math.abs(out.data[i]! - (40 + x * factor) / 2)).toBeLessThan(1.5 + factor / 8);
      expect(Math.abs(out.data[side * side + i]! - (60 + y * factor) / 2)).toBeLessThan(1.5 + factor / 8);
      expect(out.data[2 * side * side + i]).toBeCloseTo(77, 3);
    }
  });

  it('are black outside the picture', () => {
    const out = resizeCrop(ramp(50, 50), { x: -20, y: 0, width: 40, height: 40 }, planes(8, 8));
    expect(out.data[2 * 64 + 1]).toBe(0);
    expect(out.data[2 * 64 + 6]).toBeCloseTo(77, 3);
  });

  it('do not alias: a fine chequerboard becomes grey', () => {
    const side = 256;
    const data = new Uint8Array(side * side * 3).map((_, i) => {
      const pixel = Math.floor(i / 3);
      return ((pixel % side) + Math.floor(pixel / side)) % 2 === 0 ? 255 : 0;
    });
    const image = rgbImage({ data, width: side, height: side });
    const whole = { x: 0, y: 0, width: side, height: side };
    for (const value of resizeCrop(image, whole, planes(20, 20)).data)
      expect(Math.abs(value - 128)).toBeLessThan(4);
  });
});

describe('warps of a picture', () => {
  it('map the points to their targets', () => {
    const image = ramp(300, 300);
    const from = [
      { x: 100, y: 100 },
      { x: 180, y: 120 },
      { x: 130, y: 190 },
    ];
    const angle = 0.5;
    const to = from.map(({ x, y }) => ({
      x: 0.3 * (x * Math.cos(angle) - y * Math.sin(angle)) + 20,
      y: 0.3 * (x * Math.sin(angle) + y * Math.cos(angle)) - 10,
    }));
    const out = warp(image, fitSimilarity(from, to), planes(80, 80));
    from.forEach((source, i) => {
      const target = to[i]!;
      const at = Math.round(target.y) * 80 + Math.round(target.x);
      expect(Math.abs(out.data[at]! - (source.x * 2) / 3)).toBeLessThan(3);
      expect(Math.abs(out.data[6400 + at]! - (source.y * 2) / 3)).toBeLessThan(3);
    });
  });
});

describe('feeding a model', () => {
  const canvas = planes(2, 1);
  canvas.data.set([10, 11, 20, 21, 30, 31]);
  const input = { name: 'i', width: 2, height: 1 };

  it('follows channel order, layout and normalisation', () => {
    const tensor = new Float32Array(6);
    const rgb = { mean: [0, 0, 0], scale: [1, 1, 1] };
    fill(tensor, canvas, { ...input, layout: 'NCHW', channels: 'BGR', ...rgb });
    expect([...tensor]).toEqual([30, 31, 20, 21, 10, 11]);
    fill(tensor, canvas, { ...input, layout: 'NHWC', channels: 'RGB', ...rgb });
    expect([...tensor]).toEqual([10, 20, 30, 11, 21, 31]);
    fill(tensor, canvas, { ...input, layout: 'NCHW', channels: 'RGB', mean: [10, 20, 30], scale: [1, 2, 3] });
    expect([...tensor]).toEqual([0, 1, 0, 2, 0, 3]);
  });

  it('converts colour to grey', () => {
    const tensor = new Float32Array(2);
    fill(tensor, canvas, { ...input, layout: 'NCHW', channels: 'GRAY', mean: [0], scale: [1] });
    expect(tensor[0]).toBeCloseTo(0.299 * 10 + 0.587 * 20 + 0.114 * 30, 4);
  });
});
