import { expect, test } from 'vitest';
import { framesForReview, framingOf, MAX_CASE_FRAMES } from './framing.ts';
import type { FaceGeometry, FrameEvidence } from '../capture/evidence.ts';

function frame(yawRad: number, sharpness: number): FrameEvidence {
  const landmarks = new Float32Array(136);
  for (let point = 36; point < 48; point++) {
    landmarks[2 * point] = point < 42 ? 100 : 160;
    landmarks[2 * point + 1] = 90;
  }
  const face: FaceGeometry = {
    box: { x1: 60, y1: 40, x2: 200, y2: 220 },
    detectorScore: 1,
    landmarks,
    yawRad,
    pitchRad: 0,
    rollRad: 0.1,
    eyeAspectLeft: 0.3,
    eyeAspectRight: 0.3,
    mouthOpening: 0,
    smileWidth: 0.4,
    interocularPx: 60,
  };
  return {
    sha256: '',
    fingerprint: new Uint8Array(32),
    width: 320,
    height: 240,
    faceCount: 1,
    face,
    brightness: 120,
    contrast: 40,
    sharpness,
    genuineScore: 1,
    cues: null,
    embedding: null,
  };
}

test('a reviewer gets the most frontal and sharpest frames, best first, and no more than needed', () => {
  const frames = [frame(0.4, 100), frame(0, 80), frame(0, 100), frame(0.1, 100), frame(0, 10)];
  expect(framesForReview([0, 1, 2, 3, 4], frames)).toEqual([2, 1, 3]);
  expect(framesForReview([0, 1, 2, 3, 4], frames)).toHaveLength(MAX_CASE_FRAMES);
});

test('keeps only frames that are used for recognition', () => {
  expect(framesForReview([3], [frame(0, 1), frame(0, 1), frame(0, 1), frame(0, 1)])).toEqual([3]);
  expect(framesForReview([], [frame(0, 1)])).toEqual([]);
});

test('a reviewer gets no frame without a face', () => {
  const faceless = { ...frame(0, 100), face: null };
  expect(framesForReview([0, 1], [faceless, frame(0, 1)])).toEqual([1]);
  expect(framingOf(faceless)).toBeNull();
});

test('two pictures are scaled to one size by the eyes', () => {
  expect(framingOf(frame(0, 1))).toEqual({
    width: 320,
    height: 240,
    eyesX: 130,
    eyesY: 90,
    interocularPx: 60,
    rollRad: 0.1,
  });
});
