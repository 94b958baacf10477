import { expect, test } from 'vitest';
import { frameSignature, isSameFrame, MAX_HASH_BITS, partsOf, SIGNATURE_BYTES } from './frame-signature.ts';
import { madeUpFace, madeUpFrame } from './liveness.fixture.ts';

const ASPECT = 640 / 480;
const frame = madeUpFrame({ swayPx: 0 });
const flipped = (bits: number) => frame.fingerprint.map((byte, index) => (index < bits ? byte ^ 1 : byte));
const same = (change: Parameters<typeof madeUpFrame>[1]) =>
  isSameFrame(frameSignature(frame), frameSignature({ ...frame, ...change }), ASPECT);

test('a re-encoded frame is recognised: its hash and its face barely change', () => {
  expect(frameSignature(frame)).toHaveLength(SIGNATURE_BYTES);
  expect(same({ fingerprint: flipped(3), face: madeUpFace({ swayPx: 0.5 }) })).toBe(true);
});

test('another picture is not recognised, wherever the face is', () => {
  expect(same({ fingerprint: flipped(4) })).toBe(false);
});

test('the same wall with the person slightly to one side is not recognised', () => {
  expect(same({ face: madeUpFace({ swayPx: 1 }) })).toBe(false);
});

test('frames without a face, or of different kinds, are never the same', () => {
  const faceless = frameSignature({ ...frame, face: null });
  expect(isSameFrame(frameSignature(frame), faceless, ASPECT)).toBe(false);
  expect(isSameFrame(frameSignature(frame), frame.fingerprint, ASPECT)).toBe(false);
});

test('signatures can be anywhere in a larger buffer', () => {
  const signature = frameSignature(frame);
  const buffer = new Uint8Array(SIGNATURE_BYTES + 3);
  buffer.set(signature, 3);
  expect(isSameFrame(signature, buffer.subarray(3), ASPECT)).toBe(true);
});

test('the hash has more parts than bits that may differ, and each bit belongs to one part', () => {
  const signature = frameSignature(frame);
  const parts = partsOf(signature);
  expect(parts.length).toBeGreaterThan(MAX_HASH_BITS);
  for (let bit = 0; bit < 256; bit++) {
    const flippedOne = Uint8Array.from(signature);
    flippedOne[bit >> 3] = flippedOne[bit >> 3]! ^ (1 << (bit & 7));
    const equal = partsOf(flippedOne).filter((part, place) => Buffer.from(part).equals(parts[place]!));
    expect(equal).toHaveLength(parts.length - 1);
  }
});
