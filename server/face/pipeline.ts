/** Turns one frame's bytes into evidence, in one thread. */
import { createHash } from 'node:crypto';
import type { FaceGeometry, FrameEvidence, PictureCues } from '../domain/capture/evidence.ts';
import { genuineScore } from './models/attack.ts';
import { measureCues } from './evidence/cues.ts';
import { decodeJpeg } from './pictures/decode.ts';
import { countPeople, detectFaces, type FaceBox } from './models/detector.ts';
import { embedFace } from './models/embedder.ts';
import { isFaceCovered } from './evidence/cover.ts';
import { measureExpression } from './evidence/expression.ts';
import { fingerprint } from './evidence/fingerprint.ts';
import { findLandmarks } from './models/landmarks.ts';
import type { EngineManifests } from './models/manifest.ts';
import { openModel } from './models/model.ts';
import { estimatePose } from './evidence/pose.ts';
import type { FramePurpose } from './protocol.ts';
import { measureLight, measureSharpness } from './evidence/quality.ts';
import { rgbImage, type RgbImage } from './pictures/rgb-image.ts';
import { measureTones } from './evidence/tones.ts';

const BLANK_SIDE_PX = 100;

/** The measurements on one face. */
export type FaceMeasures = Required<
  Pick<FrameEvidence, 'brightness' | 'contrast' | 'sharpness' | 'genuineScore' | 'isCovered'>
> & { face: FaceGeometry; cues: PictureCues; embedding: Float32Array };

/** Not re-entrant: each model has one canvas. Await one call before the next. */
export type FramePipeline = {
  /** @throws FaceEngineError `unreadable_frame` */
  analyse(bytes: Uint8Array, purpose?: FramePurpose): Promise<FrameEvidence>;
  /** Every face of a picture, the main one first. */
  detect(image: RgbImage): Promise<FaceBox[]>;
  measure(image: RgbImage, box: FaceBox, purpose?: FramePurpose): Promise<FaceMeasures>;
  /** Runs every model once on a blank picture, so that a model that does not match its manifest fails at start-up. */
  rehearse(): Promise<void>;
  close(): Promise<void>;
};

/** @throws ManifestError if a model file is missing or does not match its manifest */
export async function openPipeline(manifests: EngineManifests, modelDir: string): Promise<FramePipeline> {
  const [detector, landmarker, embedder, attack] = await Promise.all([
    openModel(manifests.detect, modelDir),
    openModel(manifests.landmarks, modelDir),
    openModel(manifests.embed, modelDir),
    openModel(manifests.attack, modelDir),
  ]);

  const detect = (image: RgbImage) => detectFaces(detector, image);

  const measure = async (
    image: RgbImage,
    box: FaceBox,
    purpose: FramePurpose = 'rest',
  ): Promise<FaceMeasures> => {
    const landmarks = await findLandmarks(landmarker, image, box);
    const embedding = await embedFace(embedder, image, landmarks);
    const { score, ...corners } = box;
    return {
      face: {
        box: corners,
        detectorScore: score,
        landmarks,
        ...estimatePose(landmarks),
        ...measureExpression(landmarks),
      },
      embedding,
      ...measureLight(image, box),
      sharpness: measureSharpness(embedder.canvas),
      genuineScore: purpose === 'step' ? null : await genuineScore(attack, image, box),
      cues: { ...measureCues(image, box), ...measureTones(image, landmarks) },
      isCovered: isFaceCovered(image, landmarks),
    };
  };

  return {
    detect,
    measure,
    async analyse(bytes, purpose) {
      const image = await decodeJpeg(bytes);
      const faces = await detect(image);
      const [main] = faces;
      return {
        sha256: createHash('sha256').update(bytes).digest('hex'),
        fingerprint: fingerprint(image),
        width: image.width,
        height: image.height,
        faceCount: countPeople(faces, manifests.detect),
        ...(main === undefined ? withoutFace(image) : await measure(image, main, purpose)),
      };
    },
    async rehearse() {
      const blank = rgbImage({
        data: new Uint8Array(3 * BLANK_SIDE_PX ** 2),
        width: BLANK_SIDE_PX,
        height: BLANK_SIDE_PX,
      });
      await detect(blank);
      await measure(blank, { x1: 20, y1: 20, x2: 80, y2: 80, score: 1 });
    },
    async close() {
      await Promise.all([detector, landmarker, embedder, attack].map((model) => model.close()));
    },
  };
}

function withoutFace(image: RgbImage) {
  return {
    face: null,
    cues: null,
    embedding: null,
    ...measureLight(image, null),
    sharpness: 0,
    genuineScore: 0,
  };
}
