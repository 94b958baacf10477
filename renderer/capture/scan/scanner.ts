/** Reads QR codes and barcodes with the camera. Pictures stay in this module and are discarded with each look. */
import { decodeQR } from 'qr/decode.js';
import { closeCamera } from '../camera/camera.ts';
import { CameraSilentError } from '../camera/frame-source.ts';
import { videoVerdict } from '../coaching/quality.ts';
import { loadBarcodes, type ReadBarcodes } from './barcodes.ts';
import { codesIn, mirror } from './codes.ts';

/** A code on a phone fills a fifth of the picture; a finer resolution only costs time. */
const LONGER_SIDE_PX = 800;
const LOOK_APART_MS = 120;
/** A code whose question was not answered is asked about again. */
const ASK_AGAIN_MS = 1_500;
/** Every so many looks, the picture is searched mirrored instead of for barcodes, and for light. */
const MIRRORED_EVERY = 2;
const LIGHT_EVERY = 8;
/** How long the picture may take before the guest is told more, and until the camera counts as silent. */
const SLOW_AFTER_MS = 5_000;
const SILENT_AFTER_MS = 10_000;
/** Codes that led nowhere are remembered, so that each is asked about once. */
const MOST_PASSED = 50;
/** Until the file that reads barcodes is asked for again. */
const LOAD_AGAIN_MS = 5_000;

/** `qrOnly`: the file that reads barcodes did not arrive. */
export type ScanSight = 'slow' | 'seen' | 'covered' | 'qrOnly';

export type ScanHooks = {
  /** Opens the camera. Rejects with errors for `cameraTroubleOf`. */
  open: () => Promise<MediaStream>;
  /** Whether the text is of the kind that can lead to a check here; others are passed over without a question. */
  isLink: (text: string) => boolean;
  /** Tries a code. @returns whether it leads nowhere, so that scanning continues; null if nobody answered */
  tryCode: (text: string) => Promise<boolean | null>;
  /** A code that is not for this kiosk is in view. */
  onWrong: () => void;
  onSight: (sight: ScanSight) => void;
};

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Scans until a code led to a check, or `signal` aborts.
 * @throws as `open`, CameraSilentError without a picture, or NotFoundError if the camera is lost
 */
export async function scan(video: HTMLVideoElement, hooks: ScanHooks, signal: AbortSignal): Promise<void> {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const stream = await openPlaying(video, hooks, signal);
  if (stream === null || context === null) return;
  const [track] = stream.getVideoTracks();
  const passed = new Set<string>();
  const barcodes = followBarcodes(signal);
  let shownAtS = -1;
  let shownAtMs = performance.now();
  try {
    for (let look = 0; !signal.aborted; look += 1) {
      if (track?.readyState === 'ended') throw new DOMException('the camera went away', 'NotFoundError');
      if (video.currentTime !== shownAtS) {
        shownAtS = video.currentTime;
        shownAtMs = performance.now();
      } else if (performance.now() - shownAtMs > SILENT_AFTER_MS) throw new CameraSilentError();
      draw(context, video);
      if (look % LIGHT_EVERY === 0)
        hooks.onSight(
          videoVerdict(video) === 'covered' ? 'covered' : barcodes.isMissing() ? 'qrOnly' : 'seen',
        );
      for (const text of await textsIn(context, look % MIRRORED_EVERY === 1, barcodes.read())) {
        if (passed.has(text)) {
          hooks.onWrong();
          continue;
        }
        const leadsNowhere = hooks.isLink(text) ? await hooks.tryCode(text) : true;
        if (leadsNowhere === false) return;
        if (leadsNowhere === null) {
          await pause(ASK_AGAIN_MS);
          continue;
        }
        if (passed.size < MOST_PASSED) passed.add(text);
        hooks.onWrong();
      }
      await pause(LOOK_APART_MS);
    }
  } finally {
    closeCamera(stream);
    if (video.srcObject === stream) video.srcObject = null;
    canvas.width = canvas.height = 0;
  }
}

/** Null if `signal` aborted meanwhile. A camera that opens too late is closed at once. */
async function openPlaying(
  video: HTMLVideoElement,
  { open, onSight }: ScanHooks,
  signal: AbortSignal,
): Promise<MediaStream | null> {
  const slow = setTimeout(() => onSight('slow'), SLOW_AFTER_MS);
  let silent: ReturnType<typeof setTimeout> | undefined;
  let isLate = false;
  const opening = open().then(async (stream) => {
    if (isLate || signal.aborted) {
      closeCamera(stream);
      return null;
    }
    video.srcObject = stream;
    await video.play();
    return stream;
  });
  opening.catch(() => undefined);
  try {
    return await Promise.race([
      opening,
      new Promise<null>((resolve, reject) => {
        silent = setTimeout(() => reject(new CameraSilentError()), SILENT_AFTER_MS);
        signal.addEventListener('abort', () => resolve(null), { once: true });
      }),
    ]);
  } catch (error) {
    isLate = true;
    release(video);
    throw error;
  } finally {
    clearTimeout(slow);
    clearTimeout(silent);
    if (signal.aborted) release(video);
  }
}

function release(video: HTMLVideoElement): void {
  const { srcObject } = video;
  if (srcObject instanceof MediaStream) closeCamera(srcObject);
  video.srcObject = null;
}

function draw(context: CanvasRenderingContext2D, video: HTMLVideoElement): void {
  const { canvas } = context;
  const scale = LONGER_SIDE_PX / Math.max(LONGER_SIDE_PX, video.videoWidth, video.videoHeight);
  canvas.width = Math.max(1, Math.round(video.videoWidth * scale));
  canvas.height = Math.max(1, Math.round(video.videoHeight * scale));
  context.drawImage(video, 0, 0, canvas.width, canvas.height);
}

/** The decoder of barcodes, which arrives while QR codes are read already, or is asked for again. */
function followBarcodes(signal: AbortSignal) {
  let read: ReadBarcodes | null = null;
  let isMissing = false;
  const follow = async () => {
    while (!signal.aborted && read === null) {
      read = await loadBarcodes().catch(() => null);
      isMissing = read === null;
      if (isMissing) await pause(LOAD_AGAIN_MS);
    }
  };
  void follow();
  return { read: () => read, isMissing: () => isMissing };
}

/** Texts of the codes in view: QR codes, the one that is held up first, then barcodes in the rest of the picture. */
async function textsIn(
  context: CanvasRenderingContext2D,
  isMirrored: boolean,
  readBarcodes: ReadBarcodes | null,
): Promise<string[]> {
  const picture = context.getImageData(0, 0, context.canvas.width, context.canvas.height);
  if (isMirrored) mirror(picture);
  const texts = codesIn(picture, decodeQR).map(({ text }) => text);
  // A barcode is read from either side, so the mirrored picture has no others.
  return isMirrored || readBarcodes === null ? texts : [...texts, ...(await readBarcodes(picture))];
}
