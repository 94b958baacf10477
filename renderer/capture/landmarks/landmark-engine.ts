/** Analyses frames: measures landmarks and light, and encodes kept frames as JPEG. Runs in a worker or in the page. */
import { FaceLandmarker, type FaceLandmarkerResult } from '@mediapipe/tasks-vision';
import { CAPTURE_BOUNDS } from '../../../server/contract/capture.ts';
import { lumaStatistics } from '../coaching/quality.ts';
import { measureFace, type FaceMeasures } from './measure.ts';
import type { Light, Observation, VisionAssets } from './protocol.ts';
import { bySize, countPeople } from './people.ts';
import { createRecentFrames } from './recent-frames.ts';
import { createTurnedSearch } from './turned-search.ts';

/** Side of the picture in which light is measured. */
const LIGHT_SIDE_PX = 32;
const JPEG_QUALITIES = [0.9, 0.8, 0.65] as const;
const WARM_UP_SIZE = { width: 640, height: 480 } as const;

export type LandmarkEngine = {
  /** Compiled, for the next engine. */
  program: WebAssembly.Module;
  /** The bitmap is transferred; the engine keeps it for a moment and then closes it. */
  look: (frameId: number, atMs: number, bitmap: ImageBitmap) => Observation;
  /** JPEG of a recently analysed frame; null if it is no longer kept. */
  encode: (frameId: number) => Promise<Blob | null>;
  /** Releases every frame. */
  forget: () => void;
  close: () => void;
};

class NoWebGlError extends Error {
  constructor() {
    super('no WebGL');
    this.name = 'NoWebGlError';
  }
}

/** @throws if the file does not arrive, or is none of WebAssembly */
export async function compileFile(url: string): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compileStreaming(fetch(url));
  } catch {
    // A proxy may have changed its type.
    return WebAssembly.compile(await (await fetch(url)).arrayBuffer());
  }
}

type Instantiated = (instance: WebAssembly.Instance, program: WebAssembly.Module) => void;
type ModuleOptions = { instantiateWasm?: (imports: WebAssembly.Imports, done: Instantiated) => object };
type ModuleFactory = (options: ModuleOptions) => Promise<unknown>;

/**
 * @param compiled by an earlier engine of this page, if there was one
 * @param canvas MediaPipe reads frames through its WebGL. Before iOS 17, workers have no WebGL, but a page's canvas does.
 * @throws NoWebGlError, or the error of loading a file
 */
export async function createLandmarkEngine(
  { loaderUrl, binaryUrl, modelUrl }: VisionAssets,
  canvas: OffscreenCanvas | HTMLCanvasElement,
  compiled: WebAssembly.Module | null = null,
): Promise<LandmarkEngine> {
  // The contexts that MediaPipe requests: a canvas returns the same one again.
  if ((canvas.getContext('webgl2') ?? canvas.getContext('webgl')) === null) throw new NoWebGlError();
  // In a page, MediaPipe would load it with a script element, which cannot load a module.
  const [loader, program] = await Promise.all([
    import(/* @vite-ignore */ loaderUrl) as Promise<{ default: ModuleFactory }>,
    compiled === null ? compileFile(binaryUrl) : Promise.resolve(compiled),
  ]);
  let fail: (error: unknown) => void = () => undefined;
  // MediaPipe itself would wait for ever.
  const failed = new Promise<never>((_, reject) => (fail = reject));
  const instantiateWasm: ModuleOptions['instantiateWasm'] = (imports, done) => {
    WebAssembly.instantiate(program, imports).then((instance) => done(instance, program), fail);
    return {};
  };
  // Each start needs it again, while an import runs only once.
  Object.assign(globalThis, {
    ModuleFactory: (options: ModuleOptions) => loader.default({ ...options, instantiateWasm }),
  });
  const creating = FaceLandmarker.createFromOptions(
    { wasmLoaderPath: '', wasmBinaryPath: binaryUrl },
    {
      // By default it is a canvas of the document in Chrome and Firefox on iOS, and a worker has no document.
      canvas,
      baseOptions: { modelAssetPath: modelUrl, delegate: 'CPU' },
      runningMode: 'VIDEO',
      numFaces: 2,
      outputFacialTransformationMatrixes: true,
    },
  );
  const landmarker = await Promise.race([creating, failed]);
  // The first run compiles, so it uses an empty picture and does not delay the person.
  const { width, height } = WARM_UP_SIZE;
  const empty = new OffscreenCanvas(width, height);
  empty.getContext('2d')?.fillRect(0, 0, width, height);
  const bitmap = empty.transferToImageBitmap();
  landmarker.detectForVideo(bitmap, 0);
  bitmap.close();

  const turned = createTurnedSearch();
  const frames = createRecentFrames<ImageBitmap>((old) => old.close());
  const lightContext = new OffscreenCanvas(LIGHT_SIDE_PX, LIGHT_SIDE_PX).getContext('2d', {
    willReadFrequently: true,
  });
  return {
    program,
    look(frameId, atMs, frame) {
      frames.add(frameId, frame);
      const faces = facesIn(landmarker.detectForVideo(frame, atMs), frame.width, frame.height);
      const [face = null] = bySize(faces);
      const isTurned = turned.seek(face !== null, (rotationDegrees) => {
        // Each run of the model needs a later time.
        const again = landmarker.detectForVideo(frame, atMs + 1, { rotationDegrees });
        return bySize(facesIn(again, frame.width, frame.height))[0]?.rollRad ?? null;
      });
      const light = lightOf(lightContext, frame, face);
      return { frameId, atMs, faceCount: countPeople(faces), isTurned, face, light };
    },
    async encode(frameId) {
      const frame = frames.get(frameId);
      return frame === undefined ? null : toJpeg(frame);
    },
    forget: () => frames.clear(),
    close() {
      frames.clear();
      landmarker.close();
    },
  };
}

const facesIn = (result: FaceLandmarkerResult, width: number, height: number): FaceMeasures[] =>
  result.faceLandmarks.map((points, index) =>
    measureFace(points, result.facialTransformationMatrixes[index]?.data ?? [], width, height),
  );

function luma(
  context: OffscreenCanvasRenderingContext2D,
  bitmap: ImageBitmap,
  box: FaceMeasures['box'],
): { mean: number; spread: number } {
  const clamp = (value: number) => Math.max(0, Math.min(1, value));
  const [left, top] = [clamp(box.left) * bitmap.width, clamp(box.top) * bitmap.height];
  const width = Math.max(1, clamp(box.right) * bitmap.width - left);
  const height = Math.max(1, clamp(box.bottom) * bitmap.height - top);
  context.drawImage(bitmap, left, top, width, height, 0, 0, LIGHT_SIDE_PX, LIGHT_SIDE_PX);
  return lumaStatistics(context.getImageData(0, 0, LIGHT_SIDE_PX, LIGHT_SIDE_PX).data);
}

function lightOf(
  context: OffscreenCanvasRenderingContext2D | null,
  bitmap: ImageBitmap,
  face: FaceMeasures | null,
): Light {
  if (context === null) return { frame: 128, spread: 64, face: 128 };
  const whole = luma(context, bitmap, { left: 0, top: 0, right: 1, bottom: 1 });
  return {
    frame: whole.mean,
    spread: whole.spread,
    face: face === null ? whole.mean : luma(context, bitmap, face.box).mean,
  };
}

async function toJpeg(bitmap: ImageBitmap): Promise<Blob | null> {
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  let jpeg: Blob | null = null;
  for (const quality of JPEG_QUALITIES) {
    jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality });
    if (jpeg.size <= CAPTURE_BOUNDS.maxStillBytes) break;
  }
  return jpeg;
}
