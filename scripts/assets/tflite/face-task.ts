/**
 * Builds `face_landmarker.task` (478 landmarks, pose matrix, no blendshapes), which no npm package contains, from the
 * models in `@mediapipe/face_mesh`. The same package always gives the same bytes.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { joinAttentionOutputs } from './attention-outputs.ts';
import { storedZip } from './stored-zip.ts';
import { rewriteTflite } from './tflite-rewrite.ts';

const PACKED_DATA = 'face_mesh_solution_packed_assets.data';
const PACKED_LOADER = 'face_mesh_solution_packed_assets_loader.js';

/** The detector expects pixels in -1..1, the landmark model in 0..1. */
const DETECTOR_INPUT = { mean: 127.5, std: 127.5 };
const LANDMARK_INPUT = { mean: 0, std: 255 };

/**
 * @param meshPackageDir folder of the unpacked npm package (the one with its package.json)
 * @returns the bytes of face_landmarker.task, about 2.8 MB
 * @throws if the package lacks one of the models
 */
export function buildFaceTask(meshPackageDir: string): Uint8Array {
  const asset = packedAssets(meshPackageDir);
  return storedZip([
    {
      name: 'face_detector.tflite',
      body: rewriteTflite(asset('face_detection_short_range.tflite'), DETECTOR_INPUT),
    },
    {
      name: 'face_landmarks_detector.tflite',
      body: rewriteTflite(asset('face_landmark_with_attention.tflite'), LANDMARK_INPUT, joinAttentionOutputs),
    },
    {
      name: 'geometry_pipeline_metadata_landmarks.binarypb',
      body: asset('geometry_pipeline_metadata_landmarks.binarypb'),
    },
  ]);
}

type PackedFile = { filename: string; start: number; end: number };

/** The package has its models in one file; the script that loads it contains the byte ranges as JSON. */
function packedAssets(meshPackageDir: string): (name: string) => Uint8Array {
  const loader = readFileSync(join(meshPackageDir, PACKED_LOADER), 'utf8');
  const listing = /loadPackage\((\{"files".*?\})\);/s.exec(loader)?.[1];
  if (listing === undefined) throw new Error(`${PACKED_LOADER} lists no files`);
  const { files } = JSON.parse(listing) as { files: PackedFile[] };
  const data = readFileSync(join(meshPackageDir, PACKED_DATA));
  return (name) => {
    const file = files.find(({ filename }) => filename.endsWith(`/${name}`));
    if (!file) throw new Error(`${PACKED_LOADER} does not list ${name}`);
    return new Uint8Array(data.subarray(file.start, file.end));
  };
}
