/** The landmarker as a page uses it: in a worker, or in the page itself if the worker cannot run it. */
import { LoadFailure, loadSigns, type LoadTrouble, loadTroubleOf } from './load-trouble.ts';
import type { Observation, FromWorker, Landmarker, ToWorker, VisionAssets } from './protocol.ts';

export type { Landmarker };

type Waiting<T> = { resolve: (value: T) => void; reject: (error: Error) => void };

/**
 * Addresses of the worker's files.
 * @param base folder of the surface's own files, with a trailing slash
 */
export function visionAssets(base: string, origin: string): VisionAssets {
  const at = (path: string) => new URL(path, origin).href;
  return {
    loaderUrl: at(`${base}vision/vision_wasm_module_internal.js`),
    binaryUrl: at(`${base}vision/vision_wasm_module_internal.wasm`),
    modelUrl: at('/assets/models/face_landmarker.task'),
  };
}

/**
 * Starts in a worker. If that fails for any reason (no module workers, no WebGL in workers before iOS 17), the page's
 * own thread takes over, which makes the preview stutter but works.
 */
export function createLandmarker(
  assets: VisionAssets,
  inWorker: (assets: VisionAssets) => Landmarker = createWorkerLandmarker,
  inPage: () => Promise<PageLandmarkers> = () => import('./page-landmarker.ts'),
  diagnose: (assets: VisionAssets) => Promise<LoadTrouble> = (files) => loadTroubleOf(files, loadSigns()),
): Landmarker {
  // Neither worker nor page can run without it, and each would download megabytes before it failed (Lockdown Mode of
  // iOS).
  if (typeof WebAssembly !== 'object') return unavailable(diagnose(assets), new Error('no WebAssembly'));
  let present = inWorker(assets);
  let isClosed = false;
  const takeOver = async () => {
    present.close();
    if (isClosed) throw new Error('closed');
    const { createPageLandmarker } = await inPage();
    present = createPageLandmarker(assets);
    await present.ready;
  };
  const ready = present.ready.catch(takeOver).catch(async (cause: unknown) => {
    if (isClosed) throw cause;
    throw new LoadFailure(await diagnose(assets), cause);
  });
  // The page was left, so nobody is waiting.
  ready.catch(() => undefined);
  return {
    ready,
    look: (...frame) => present.look(...frame),
    encode: (frameId) => present.encode(frameId),
    forget: () => present.forget(),
    close() {
      isClosed = true;
      present.close();
    },
  };
}

/** A landmarker that never becomes ready. */
function unavailable(trouble: Promise<LoadTrouble>, cause: Error): Landmarker {
  const refuse = () => Promise.reject(cause);
  const ready = trouble.then((known) => Promise.reject(new LoadFailure(known, cause)));
  ready.catch(() => undefined);
  return { ready, look: refuse, encode: refuse, forget: () => undefined, close: () => undefined };
}

/**
 * Compiled once for all workers of a page: the next one starts with what the browser has optimised by then. It holds code and
 * no memory, so nothing of a person. A failure drops it: after an upgrade, the loader may belong to another one.
 */
let program: WebAssembly.Module | null = null;

type PageLandmarkers = { createPageLandmarker: (assets: VisionAssets) => Landmarker };

function createWorkerLandmarker(assets: VisionAssets): Landmarker {
  const worker = new Worker(new URL('./landmarker.worker.ts', import.meta.url), { type: 'module' });
  const post = (message: ToWorker, transfer: Transferable[] = []) => worker.postMessage(message, transfer);
  const encoding = new Map<number, Waiting<Blob>>();
  let looking: Waiting<Observation> | null = null;
  let loading: Waiting<void> | null = null;

  const fail = (reason: string) => {
    const error = new Error(reason);
    for (const waiting of [loading, looking, ...encoding.values()]) waiting?.reject(error);
    encoding.clear();
    loading = looking = null;
  };
  const hear = (message: FromWorker) => {
    switch (message.type) {
      case 'ready':
        ({ program } = message);
        loading?.resolve();
        loading = null;
        break;
      case 'seen':
        looking?.resolve(message.observation);
        looking = null;
        break;
      case 'encoded': {
        const waiting = encoding.get(message.frameId);
        encoding.delete(message.frameId);
        if (message.jpeg === null) waiting?.reject(new Error('no frame'));
        else waiting?.resolve(message.jpeg);
        break;
      }
      case 'failed':
        program = null;
        fail(message.reason);
        break;
    }
  };
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => hear(data);
  worker.onerror = (event) => fail(event.message);

  const ready = new Promise<void>((resolve, reject) => {
    loading = { resolve, reject };
  });
  ready.catch(() => undefined);
  post({ type: 'load', assets, program });

  return {
    ready,
    look: (frameId, atMs, bitmap) =>
      new Promise((resolve, reject) => {
        looking = { resolve, reject };
        post({ type: 'look', frameId, atMs, bitmap }, [bitmap]);
      }),
    encode: (frameId) =>
      new Promise((resolve, reject) => {
        encoding.set(frameId, { resolve, reject });
        post({ type: 'encode', frameId });
      }),
    forget: () => post({ type: 'forget' }),
    close() {
      fail('closed');
      worker.terminate();
    },
  };
}
