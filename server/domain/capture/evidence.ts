/**
 * The face engine's measurements on one frame: numbers only, no verdict. Angles are in radians and lengths in
 * pixels of the decoded frame unless stated otherwise. The frame is not mirrored: the person's left is on the
 * image's right.
 */
export type FaceGeometry = {
  box: { x1: number; y1: number; x2: number; y2: number };
  detectorScore: number;
  /** 68 points, x0 y0 x1 y1 …, in the usual iBUG order. */
  landmarks: Float32Array;
  /** > 0: the nose points to the image's right, so the person turned to their own left. */
  yawRad: number;
  /** > 0: looking up. */
  pitchRad: number;
  /** > 0: the head leans to the image's right, so toward the person's own left shoulder. */
  rollRad: number;
  /** Height divided by width of each eye's opening (eye aspect ratio). */
  eyeAspectLeft: number;
  eyeAspectRight: number;
  /** Height of the mouth's opening divided by its width. */
  mouthOpening: number;
  /** Width of the mouth divided by the width of the face. */
  smileWidth: number;
  interocularPx: number;
};

/** Luminance of the whole frame in square cells, row by row from the top; the longer side has 64 cells. */
export type Layout = { width: number; height: number; data: Uint8Array };

/** Colours as linear light: red, green and blue, 0 to 1. */
export type Tones = {
  /** Colour of the cheeks and the bridge of the nose; 0 if all of it is overexposed. */
  skin: readonly [number, number, number];
  /** Colour of the whole frame in square cells, row by row; the longer side has 16 cells. */
  tones: { width: number; height: number; data: Float32Array };
};

/** Signs that a picture shows paper, a print or a screen. */
export type PictureCues = Tones & {
  /**
   * Strongest regular pattern on the face finer than eight pixels, in dB above the usual level for its
   * fineness: the moiré between the dots of a screen or print and the camera's pixels.
   */
  patternDb: number;
  /** The same beside the head, where camera compression shows as well; null if the frame leaves no room. */
  backgroundPatternDb: number | null;
  /**
   * Unbroken share of the longest straight edge on each side of the face: left, right, above, below; 0 to 1.
   */
  borders: readonly [number, number, number, number];
  layout: Layout;
};

export type FrameEvidence = {
  /** Hash of the received bytes, in lower-case hex. */
  sha256: string;
  /** 256-bit difference hash of the decoded picture; survives re-encoding. */
  fingerprint: Uint8Array;
  width: number;
  height: number;
  /**
   * Number of people at the camera: faces at least about a third as high as the main one. People queuing in the
   * background do not count.
   */
  faceCount: number;
  /** The main face: large, central and detected with confidence. */
  face: FaceGeometry | null;
  /** Mean luminance of the face's box, 0 to 255; of the whole picture if it has no face. */
  brightness: number;
  /** Standard deviation of the face region's luminance. */
  contrast: number;
  /** Variance of the Laplacian on the aligned face; higher is sharper. 0 without a face. */
  sharpness: number;
  /**
   * The presentation-attack model's probability that the face is genuine, 0 to 1. 0 without a face; null if the
   * model was not run.
   */
  genuineScore: number | null;
  /** Something seems to hide mouth and nose. Only coaches: many masks look like skin. */
  isCovered?: boolean;
  /** Null without a face. */
  cues: PictureCues | null;
  /** Unit-length embedding of the aligned face; null without a face. */
  embedding: Float32Array | null;
};
