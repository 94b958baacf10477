import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '../assets/paths.ts';
import { icnsOf, icoOf } from './icon-files.ts';

const committed = (name: string) => readFileSync(path.join(PROJECT_ROOT, 'assets/icons', name));

async function sizeOf(png: Uint8Array): Promise<number> {
  const { format, width, height } = await sharp(png).metadata();
  expect([format, height]).toEqual(['png', width]);
  return width;
}

test('the Windows icon has a picture for each size that Windows shows', async () => {
  const ico = committed('icon.ico');
  const sizes = [];
  for (let n = 0; n < ico.readUInt16LE(4); n++) {
    const at = 6 + 16 * n;
    const offset = ico.readUInt32LE(at + 12);
    const width = await sizeOf(ico.subarray(offset, offset + ico.readUInt32LE(at + 8)));
    expect(ico.readUInt8(at) || 256).toBe(width);
    sizes.push(width);
  }
  expect(sizes).toEqual([16, 32, 48, 64, 128, 256]);
});

test('the macOS icon has a picture under each name up to 1024 px', async () => {
  const icns = committed('icon.icns');
  expect([icns.toString('latin1', 0, 4), icns.readUInt32BE(4)]).toEqual(['icns', icns.length]);
  const found: Record<string, number> = {};
  for (let at = 8; at < icns.length; at += icns.readUInt32BE(at + 4)) {
    const png = icns.subarray(at + 8, at + icns.readUInt32BE(at + 4));
    found[icns.toString('latin1', at, at + 4)] = await sizeOf(png);
  }
  expect(found).toEqual({
    ic11: 32,
    ic12: 64,
    ic07: 128,
    ic08: 256,
    ic13: 256,
    ic09: 512,
    ic14: 512,
    ic10: 1024,
  });
});

test('pictures in sizes that a format does not support are refused or left out', () => {
  const png = new Uint8Array(1);
  expect(() => icoOf([{ sizePx: 512, png }])).toThrow(RangeError);
  expect(icnsOf([{ sizePx: 48, png }])).toHaveLength(8);
});
