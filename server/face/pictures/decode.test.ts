/**
 * Untrusted pictures: broken, with false claims, or made to be expensive. The result is either pixels or a refusal.
 */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decodeJpeg } from './decode.ts';
import { FaceEngineError } from '../errors.ts';

const SEED = 20_250_301;

async function noiseJpeg(width: number, height: number, progressive = false): Promise<Buffer> {
  const pixels = createHash('shake256', { outputLength: width * height * 3 })
    .update('noise')
    .digest();
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ progressive })
    .toBuffer();
}

const refusal = { name: 'FaceEngineError', code: 'unreadable_frame' };

const markersAt = (bytes: Buffer, marker: number): number[] =>
  [...bytes.keys()].filter((at) => bytes[at] === 0xff && bytes[at + 1] === marker);

describe('a frame that is not a picture', () => {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('hello, I am a face')],
    ['a start without an end', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])],
    ['zeros behind a start', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(599_000)])],
    ['markers only', Buffer.alloc(600_000, 0xff)],
    ['a drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"/>')],
  ])('%s is refused', async (_, bytes) => {
    await expect(decodeJpeg(bytes)).rejects.toMatchObject(refusal);
  });

  it.each(['png', 'webp', 'gif', 'tiff', 'avif'] as const)(
    '%s is refused, although complete',
    async (format) => {
      const bytes = await sharp(await noiseJpeg(64, 64))
        .toFormat(format)
        .toBuffer();
      await expect(decodeJpeg(bytes)).rejects.toMatchObject(refusal);
    },
  );
});

describe('a frame that was made to be expensive', () => {
  it('claims 65,500 by 65,500 pixels: refused before any are allocated', async () => {
    const bytes = await noiseJpeg(64, 64);
    const [frame = 0] = markersAt(bytes, 0xc0);
    bytes.writeUInt16BE(65_500, frame + 5);
    bytes.writeUInt16BE(65_500, frame + 7);
    await expect(decodeJpeg(bytes)).rejects.toMatchObject(refusal);
  });

  it('requests thousands of passes: refused by their number', async () => {
    const bytes = await noiseJpeg(64, 64, true);
    const scans = markersAt(bytes, 0xda);
    const again = bytes.subarray(scans.at(-1), bytes.length - 2);
    const copies = Array.from({ length: 5_000 }, () => again.subarray(0, 100));
    const bomb = Buffer.concat([bytes.subarray(0, -2), ...copies, bytes.subarray(-2)]);
    await expect(decodeJpeg(bomb)).rejects.toMatchObject({ ...refusal, message: 'too many scans' });
  });

  it('is progressive like common encoders’ files: decoded', async () => {
    const picture = await decodeJpeg(await noiseJpeg(320, 240, true));
    expect([picture.width, picture.height]).toEqual([320, 240]);
  });

  it('contains 500 kB of comments: decoded, only its pixels count', async () => {
    const bytes = await noiseJpeg(64, 48);
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0xff, 0xff]), Buffer.alloc(0xffff - 2, 0x41)]);
    const stuffed = Buffer.concat([
      bytes.subarray(0, 2),
      ...Array.from({ length: 8 }, () => comment),
      bytes.subarray(2),
    ]);
    expect(await decodeJpeg(stuffed)).toMatchObject({ width: 64, height: 48 });
  });
});

describe('a frame that was changed in transit', () => {
  const change = fc.oneof(
    fc.record({ kind: fc.constant('cut' as const), at: fc.double({ min: 0, max: 1, noNaN: true }) }),
    fc.record({
      kind: fc.constant('turn' as const),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      value: fc.integer({ min: 0, max: 255 }),
    }),
    fc.record({
      kind: fc.constant('splice' as const),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 64 }),
    }),
  );

  it('gives pixels or the refusal, never anything else', async () => {
    const whole = await noiseJpeg(96, 72);
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
        let bytes = Buffer.from(whole);
        for (const one of changes) {
          const at = Math.floor(one.at * bytes.length);
          if (one.kind === 'cut') bytes = bytes.subarray(0, at);
          else if (one.kind === 'turn') bytes[at] = one.value;
          else bytes = Buffer.concat([bytes.subarray(0, at), one.bytes, bytes.subarray(at)]);
        }
        try {
          const { data, width, height } = await decodeJpeg(bytes);
          expect(data.length).toBe(width * height * 3);
        } catch (error) {
          if (!(error instanceof FaceEngineError)) throw error;
          expect(error.code).toBe('unreadable_frame');
        }
      }),
      { numRuns: 400, seed: SEED },
    );
  });
});
