/** Untrusted frames: corrupted, expensive, or not JPEG at all. */
import fc from 'fast-check';
import sharp from 'sharp';
import { CAPTURE_BOUNDS } from '../../server/contract/capture.ts';

const WIDTH_PX = 96;
const HEIGHT_PX = 72;
/** JPEG's own largest side. */
const HUGE_PX = 65_500;
const SCANS = 5_000;

/** A small grey picture with a stripe. */
export function plainJpeg(progressive = false): Promise<Buffer> {
  const pixels = Buffer.alloc(WIDTH_PX * HEIGHT_PX * 3, 128);
  pixels.fill(20, 0, pixels.length / 3);
  return sharp(pixels, { raw: { width: WIDTH_PX, height: HEIGHT_PX, channels: 3 } })
    .jpeg({ progressive })
    .toBuffer();
}

const markerAt = (jpeg: Buffer, marker: number): number =>
  [...jpeg.keys()].findLast((at) => jpeg[at] === 0xff && jpeg[at + 1] === marker) ?? 0;

/** Small files that would take much memory or time, and others that are too large or of another kind. */
async function costlyFrames(): Promise<Buffer[]> {
  const jpeg = await plainJpeg();
  const huge = Buffer.from(jpeg);
  huge.writeUInt16BE(HUGE_PX, markerAt(jpeg, 0xc0) + 5);
  huge.writeUInt16BE(HUGE_PX, markerAt(jpeg, 0xc0) + 7);
  const progressive = await plainJpeg(true);
  const scan = progressive.subarray(markerAt(progressive, 0xda), -2);
  const scans = Array.from({ length: SCANS }, () => scan.subarray(0, 100));
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="60000" height="60000"><rect width="100%"/></svg>';
  return [
    huge,
    Buffer.concat([progressive.subarray(0, -2), ...scans, progressive.subarray(-2)]),
    Buffer.concat([jpeg, Buffer.alloc(CAPTURE_BOUNDS.maxStillBytes - jpeg.length)]),
    Buffer.concat([jpeg.subarray(0, 3), Buffer.alloc(CAPTURE_BOUNDS.maxStillBytes - 3)]),
    await sharp(jpeg).png().toBuffer(),
    await sharp(jpeg).webp().toBuffer(),
    await sharp(jpeg).gif().toBuffer(),
    Buffer.from(svg),
    Buffer.alloc(0),
  ];
}

const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const change = fc.oneof(
  fc.record({ kind: fc.constant('cut' as const), at: share }),
  fc.record({ kind: fc.constant('turn' as const), at: share, value: fc.integer({ min: 0, max: 255 }) }),
  fc.record({
    kind: fc.constant('splice' as const),
    at: share,
    bytes: fc.uint8Array({ minLength: 1, maxLength: 64 }),
  }),
);

function bend(jpeg: Buffer, changes: readonly (typeof change extends fc.Arbitrary<infer T> ? T : never)[]) {
  let bytes = Buffer.from(jpeg);
  for (const one of changes) {
    const at = Math.floor(one.at * bytes.length);
    if (one.kind === 'cut') bytes = bytes.subarray(0, at);
    else if (one.kind === 'turn') bytes[at] = one.value;
    else bytes = Buffer.concat([bytes.subarray(0, at), one.bytes, bytes.subarray(at)]);
  }
  return bytes;
}

/** One frame: usually a JPEG that was corrupted in transit. */
export async function anyFrame(): Promise<fc.Arbitrary<Buffer>> {
  const [plain, progressive, costly] = [await plainJpeg(), await plainJpeg(true), await costlyFrames()];
  const bent = fc
    .tuple(fc.constantFrom(plain, progressive), fc.array(change, { minLength: 1, maxLength: 6 }))
    .map(([jpeg, changes]) => bend(jpeg, changes));
  return fc.oneof(
    { weight: 5, arbitrary: bent },
    { weight: 3, arbitrary: fc.constantFrom(...costly) },
    { weight: 1, arbitrary: fc.constant(plain) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)) },
  );
}
