/**
 * What the face engine measured on one frame: numbers only, no verdict. Angles are radians, lengths pixels of the
 * decoded frame unless said otherwise. The frame is not mirrored: the person's left is on the image's right.
 */
export type FaceGeometry = {
  box: { x1: number; y1: number; x2: number; y2: number };
  detectorScore: number;
  /** 68 points, x0 y0 x1 y1 …, in the usual iBUG order. */
  landmarks: Float32Array;
  /** > 0: the nose points to the image's right, i.e. the person turned to their own left. */
  yawRad: number;
  /** > 0: looking up. */
  pitchRad: number;
  /** > 0: the head leans to the image's right, i.e. toward the person's own left shoulder. */
  rollRad: number;
  /** Height over width of each eye's opening (eye aspect ratio). */
  eyeAspectLeft: number;
  eyeAspectRight: number;
  /** Height of the mouth's opening over its width. */
  mouthOpening: number;
  /** Width of the mouth over the width of the face. */
  smileWidth: number;
  interocularPx: number;
};

/** Luminance of the whole frame in square cells, row by row from the top; the longer side has 64 of them. */
export type Layout = { width: number; height: number; data: Uint8Array };

/** Colours as linear light, red, green and blue, 0 to 1. */
export type Tones = {
  /** Of the cheeks and the bridge of the nose; 0 where all of it is burnt out. */
  skin: readonly [number, number, number];
  /** Of the whole frame in square cells, row by row; the longer side has 16 of them. */
  tones: { width: number; height: number; data: Float32Array };
};

/** What a picture shows of the paper, print or screen that it may be a picture of. */
export type PictureCues = Tones & {
  /**
   * Strongest regular pattern finer than eight pixels on the face, in dB above what is usual for its fineness: the
   * beat between a screen's or a print's dots and the camera's.
   */
  patternDb: number;
  /** The same beside the head, where a camera's compression shows as well; null where the frame leaves no room. */
  backgroundPatternDb: number | null;
  /** Share of the longest straight edge beside the face that is unbroken: left, right, above, below; 0 to 1. */
  borders: readonly [number, number, number, number];
  layout: Layout;
};

export type FrameEvidence = {
  /** Of the received bytes, lower-case hex. */
  sha256: string;
  /** 256-bit difference hash of the decoded picture; survives re-encoding. */
  fingerprint: Uint8Array;
  width: number;
  height: number;
  /**
   * People at the camera: faces at least about a third as high as the main one. People in a queue far behind do not
   * count.
   */
  faceCount: number;
  /** The main face: large, central and certain. */
  face: FaceGeometry | null;
  /** Mean luminance of the face's box (of the whole picture without a face), 0 to 255. */
  brightness: number;
  /** Standard deviation of the face region's luminance. */
  contrast: number;
  /** Variance of the Laplacian on the aligned face; higher is sharper. 0 without a face. */
  sharpness: number;
  /** Presentation-attack model's probability that the face is genuine, 0 to 1. 0 without a face, null where it was not asked. */
  genuineScore: number | null;
  /** Null without a face. */
  cues: PictureCues | null;
  /** Unit-length embedding of the aligned face; null without a face. */
  embedding: Float32Array | null;
};
