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

export type FrameEvidence = {
  /** Of the uploaded bytes, lower-case hex. */
  sha256: string;
  /** 256-bit difference hash of the decoded picture; survives re-encoding. */
  fingerprint: Uint8Array;
  width: number;
  height: number;
  /**
   * People before the camera: faces at least about a third as high as the main one. Those who queue far behind do
   * not count.
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
  /** Presentation-attack model's probability that the face is genuine, 0 to 1. 0 without a face. */
  genuineScore: number;
  /** Unit-length embedding of the aligned face; null without a face. */
  embedding: Float32Array | null;
};
