/**
 * The worker that looks at frames: landmarks and light become numbers here, and kept frames become JPEG. Off the main
 * thread, so that the preview never stutters.
 */
import { FaceLandmarker, type FaceLandmarkerResult } from '@mediapipe/tasks-vision';
import { CAPTURE_LIMITS } from '../../server/contract/flow.ts';
import { lumaStatistics } from './light.ts';
import { measureFace, type FaceMeasures } from './measure.ts';
import type { Light } from './observation.ts';
import type { FromWorker, ToWorker, VisionAssets } from './protocol.ts';
import { createRecentFrames } from './recent-frames.ts';

/** Side of the picture on which light is measured. */
const LIGHT_SIDE_PX = 32;
const JPEG_QUALITIES = [0.9, 0.8, 0.65] as const;
const WARM_UP_SIZE = { width: 640, height: 480 } as const;

const say = (message: FromWorker) => self.postMessage(message);
const frames = createRecentFrames<ImageBitmap>((bitmap) => bitmap.close());
const lightContext = new OffscreenCanvas(LIGHT_SIDE_PX, LIGHT_SIDE_PX).getContext('2d', {
  willReadFrequently: true,
});
let landmarker: FaceLandmarker | null = null;

async function load({ loaderUrl, binaryUrl, modelUrl }: VisionAssets): Promise<void> {
  const created = await FaceLandmarker.createFromOptions(
    { wasmLoaderPath: loaderUrl, wasmBinaryPath: binaryUrl },
    {
      // Left out, it is a canvas of the document in Chrome and Firefox on iOS, and a worker has no document.
      canvas: new OffscreenCanvas(1, 1),
      baseOptions: { modelAssetPath: modelUrl, delegate: 'CPU' },
      runningMode: 'VIDEO',
      numFaces: 2,
      outputFacialTransformationMatrixes: true,
    },
  );
  // The first run compiles; it is spent on an empty picture, not on the person.
  const { width, height } = WARM_UP_SIZE;
  const empty = new OffscreenCanvas(width, height);
  empty.getContext('2d')?.fillRect(0, 0, width, height);
  const bitmap = empty.transferToImageBitmap();
  created.detectForVideo(bitmap, 0);
  bitmap.close();
  landmarker = created;
}

function largestFace(result: FaceLandmarkerResult, width: number, height: number): FaceMeasures | null {
  const faces = result.faceLandmarks.map((points, index) =>
    measureFace(points, result.facialTransformationMatrixes[index]?.data ?? [], width, height),
  );
  return faces.toSorted((a, b) => b.size - a.size)[0] ?? null;
}

function luma(bitmap: ImageBitmap, box: FaceMeasures['box']): { mean: number; spread: number } {
  if (lightContext === null) return { mean: 128, spread: 64 };
  const clamp = (value: number) => Math.max(0, Math.min(1, value));
  const [left, top] = [clamp(box.left) * bitmap.width, clamp(box.top) * bitmap.height];
  const width = Math.max(1, clamp(box.right) * bitmap.width - left);
  const height = Math.max(1, clamp(box.bottom) * bitmap.height - top);
  lightContext.drawImage(bitmap, left, top, width, height, 0, 0, LIGHT_SIDE_PX, LIGHT_SIDE_PX);
  return lumaStatistics(lightContext.getImageData(0, 0, LIGHT_SIDE_PX, LIGHT_SIDE_PX).data);
}

function lightOf(bitmap: ImageBitmap, face: FaceMeasures | null): Light {
  const whole = luma(bitmap, { left: 0, top: 0, right: 1, bottom: 1 });
  return {
    frame: whole.mean,
    spread: whole.spread,
    face: face === null ? whole.mean : luma(bitmap, face.box).mean,
  };
}

function look(frameId: number, atMs: number, bitmap: ImageBitmap): void {
  frames.add(frameId, bitmap);
  if (landmarker === null) return;
  const result = landmarker.detectForVideo(bitmap, atMs);
  const face = largestFace(result, bitmap.width, bitmap.height);
  const light = lightOf(bitmap, face);
  say({ type: 'seen', observation: { frameId, atMs, faceCount: result.faceLandmarks.length, face, light } });
}

async function encode(frameId: number): Promise<Blob | null> {
  const bitmap = frames.get(frameId);
  if (bitmap === undefined) return null;
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  let jpeg: Blob | null = null;
  for (const quality of JPEG_QUALITIES) {
    jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality });
    if (jpeg.size <= CAPTURE_LIMITS.maxFrameBytes) break;
  }
  return jpeg;
}

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  const failed = (error: unknown) => say({ type: 'failed', reason: String(error) });
  switch (data.type) {
    case 'load':
      load(data.assets).then(() => say({ type: 'ready' }), failed);
      break;
    case 'look':
      try {
        look(data.frameId, data.atMs, data.bitmap);
      } catch (error) {
        failed(error);
      }
      break;
    case 'encode':
      encode(data.frameId).then((jpeg) => say({ type: 'encoded', frameId: data.frameId, jpeg }), failed);
      break;
    case 'forget':
      frames.clear();
      break;
  }
};
