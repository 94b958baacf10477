import { expect, test } from 'vitest';
import { frameSignature, isSameFrame, SIGNATURE_BYTES } from './frame-signature.ts';
import { madeUpFace, madeUpFrame } from './liveness-fixtures.ts';

const ASPECT = 640 / 480;
const frame = madeUpFrame({ swayPx: 0 });
const flipped = (bits: number) => frame.fingerprint.map((byte, index) => (index < bits ? byte ^ 1 : byte));
const same = (change: Parameters<typeof madeUpFrame>[1]) =>
  isSameFrame(frameSignature(frame), frameSignature({ ...frame, ...change }), ASPECT);

test('a re-encoded frame is recognised: its hash and its face hardly change', () => {
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
