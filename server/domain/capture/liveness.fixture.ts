/** Evidence of synthetic faces for tests of the rules: a simple 68-point face that can do every step. */
import type { LivenessStep } from '../../contract/flow.ts';
import type { FaceGeometry, FrameEvidence, PictureCues } from './evidence.ts';
import type { CaptureFacts } from './liveness.ts';

/** The pose and expression of a face. Lengths as in `GestureMeasures`, angles in degrees. */
export type Look = {
  yawDeg: number;
  pitchDeg: number;
  /** Share of the open eye's height. */
  eyesOpen: number;
  mouthGap: number;
  /** Growth of the mouth's width, and rise of its corners, in interocular distances. */
  smile: number;
  /** Size of the face relative to the neutral one. */
  size: number;
  /** Width divided by height, relative to the neutral face: below 1 on a tilted picture. */
  narrow: number;
  /** Position of the head, in pixels. */
  swayPx: number;
};

const AT_REST: Look = {
  yawDeg: 0,
  pitchDeg: 0,
  eyesOpen: 1,
  mouthGap: 0.03,
  smile: 0,
  size: 1,
  narrow: 1,
  swayPx: 0,
};

const DOING: Record<LivenessStep, Partial<Look>> = {
  turn_left: { yawDeg: 20, narrow: 0.87 },
  turn_right: { yawDeg: -20, narrow: 0.87 },
  look_up: { pitchDeg: 14 },
  look_up_smile: { pitchDeg: 12, smile: 0.12 },
  blink: { eyesOpen: 0.65 },
  smile: { smile: 0.1 },
  open_mouth: { mouthGap: 0.3 },
  move_closer: { size: 1.38 },
};

/** Points down the nose: index, height and protrusion, in interocular distances. */
const NOSE = [
  [28, 0.1, 0.2],
  [29, 0.25, 0.35],
  [30, 0.42, 0.45],
] as const;
const NOSTRILS = [
  [31, -0.2],
  [32, -0.1],
  [33, 0],
  [34, 0.1],
  [35, 0.2],
] as const;

/** A plain wall, with no pattern except random noise. */
const PLAIN: PictureCues = {
  patternDb: 13,
  backgroundPatternDb: 13,
  borders: [0.2, 0.1, 0, 0],
  layout: { width: 64, height: 48, data: new Uint8Array(64 * 48).fill(120) },
  skin: [0.4, 0.25, 0.2],
  tones: { width: 16, height: 12, data: new Float32Array(3 * 16 * 12).fill(0.2) },
};

const INTEROCULAR_PX = 100;
const CENTRE = { x: 320, y: 220 };
const radians = (value: number) => (value * Math.PI) / 180;

export function madeUpFace(change: Partial<Look> = {}): FaceGeometry {
  const look = { ...AT_REST, ...change };
  const unit = INTEROCULAR_PX * look.size;
  const landmarks = new Float32Array(136);
  const put = (index: number, x: number, y: number) => {
    landmarks[2 * index] = CENTRE.x + look.swayPx + x * look.narrow * unit;
    landmarks[2 * index + 1] = CENTRE.y + 0.6 * look.swayPx + y * unit;
  };
  for (let index = 0; index < 68; index++) put(index, 0, 0.5);
  for (let index = 37; index <= 41; index++) put(index, -0.5, 0);
  for (let index = 42; index <= 47; index++) put(index, 0.5, 0);
  put(36, -0.65, 0);
  put(45, 0.65, 0);
  for (let index = 17; index <= 26; index++) put(index, (index - 21.5) / 5, -0.3);
  put(27, 0, -0.05);
  // The nose protrudes, so it moves against the rest when the head turns.
  const asideOf = (out: number) => out * Math.sin(radians(look.yawDeg));
  for (const [index, y, out] of NOSE) put(index, asideOf(out), y);
  for (const [index, x] of NOSTRILS) put(index, x + asideOf(0.1), 0.6);
  put(48, -0.375 - look.smile / 2, 0.9 - look.smile);
  put(54, 0.375 + look.smile / 2, 0.9 - look.smile);
  for (const [upper, lower] of [
    [61, 67],
    [62, 66],
    [63, 65],
  ] as const) {
    put(upper, 0, 0.95);
    put(lower, 0, 0.95 + look.mouthGap);
  }
  put(51, 0, 0.85);
  put(57, 0, 1.05);
  put(8, 0, 1.5);
  return {
    box: { x1: 220, y1: 120, x2: 420, y2: 380 },
    detectorScore: 0.99,
    landmarks,
    yawRad: radians(look.yawDeg),
    pitchRad: radians(look.pitchDeg),
    rollRad: 0,
    eyeAspectLeft: 0.34 * look.eyesOpen,
    eyeAspectRight: 0.34 * look.eyesOpen,
    mouthOpening: look.mouthGap / 0.6,
    smileWidth: 0.36,
    interocularPx: unit * look.narrow,
  };
}

/** Embeddings of different people, as far apart as possible. */
export const SOMEBODY = Float32Array.of(1, 0, 0, 0);
export const SOMEBODY_ELSE = Float32Array.of(0, 1, 0, 0);

let framesMade = 0;

/** A good frame; each has its own bytes and picture. */
export function madeUpFrame(look: Partial<Look> = {}, change: Partial<FrameEvidence> = {}): FrameEvidence {
  framesMade += 1;
  return {
    sha256: framesMade.toString(16).padStart(64, '0'),
    fingerprint: Uint8Array.from({ length: 32 }, (_, byte) => (framesMade * (byte + 7)) & 0xff),
    width: 640,
    height: 480,
    faceCount: 1,
    face: madeUpFace({ swayPx: (framesMade % 7) * 2, ...look }),
    brightness: 128,
    contrast: 32,
    sharpness: 150,
    genuineScore: 0.98,
    cues: PLAIN,
    embedding: SOMEBODY,
    ...change,
  };
}

/** The stills of a capture: one per tint, and those that answer a step. */
const RESTING_FRAMES = 4;
const FRAMES_PER_STEP = 2;

/** The frames of a person doing this step. */
export const doing = (step: LivenessStep): FrameEvidence[] =>
  Array.from({ length: FRAMES_PER_STEP }, () => madeUpFrame(DOING[step]));

export const resting = (count: number = RESTING_FRAMES): FrameEvidence[] =>
  Array.from({ length: count }, () => madeUpFrame());

const FIRST_FRAME_MS = 1_500;
const BETWEEN_FRAMES_MS = 140;
const BETWEEN_STEPS_MS = 2_000;

/** A capture in which everything is as requested. Tests change the part that they are about. */
export function honestCapture(
  steps: readonly LivenessStep[],
  change: Partial<CaptureFacts> = {},
  shown: readonly FrameEvidence[][] = [resting(), ...steps.map(doing)],
): CaptureFacts {
  const entries = shown.flatMap((frames, part) =>
    frames.map((_, index) => ({
      step: part === 0 ? null : part - 1,
      at_ms: FIRST_FRAME_MS + part * BETWEEN_STEPS_MS + index * BETWEEN_FRAMES_MS,
    })),
  );
  const frames = shown.flat();
  return {
    steps,
    mode: 'standard',
    timeline: { frames: entries },
    frames,
    seenBefore: frames.map(() => false),
    ...change,
  };
}
