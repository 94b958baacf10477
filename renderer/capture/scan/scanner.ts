/** Reads QR codes with the camera. Pictures stay in this module and are discarded with each look. */
import { decodeQR } from 'qr/decode.js';
import { closeCamera } from '../camera/camera.ts';
import { CameraSilentError } from '../camera/frame-source.ts';
import { lumaStatistics, pictureVerdict } from '../coaching/quality.ts';
import { barcodeWatch } from './barcodes.ts';
import { codesIn, mirror } from './codes.ts';

/** A code on a phone fills a fifth of the picture; a finer resolution only costs time. */
const LONGER_SIDE_PX = 800;
const LOOK_APART_MS = 120;
/** Every so many looks, the picture is also searched mirrored, for barcodes, and for light. */
const MIRRORED_EVERY = 2;
const BARCODES_EVERY = 5;
const LIGHT_EVERY = 8;
const LIGHT_SIDE_PX = 32;
/** How long the picture may take before the guest is told more, and until the camera counts as silent. */
const SLOW_AFTER_MS = 5_000;
const SILENT_AFTER_MS = 10_000;
/** Codes that led nowhere are remembered, so that each is asked about once. */
const MOST_PASSED = 50;

export type ScanSight = 'slow' | 'seen' | 'covered';

export type ScanHooks = {
  /** Opens the camera. Rejects with errors for `cameraTroubleOf`. */
  open: () => Promise<MediaStream>;
  /** Whether the text is of the kind that can lead to a check here; others are passed over without a question. */
  isLink: (text: string) => boolean;
  /** Tries a code. @returns whether it leads nowhere, so that scanning continues */
  tryCode: (text: string) => Promise<boolean>;
  /** A code, or a barcode, that is not for this kiosk is in view. */
  onWrong: (kind: 'notOurs' | 'barcode') => void;
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
  const showsBarcode = await barcodeWatch();
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
      if (look % LIGHT_EVERY === 0) hooks.onSight(isCovered(video) ? 'covered' : 'seen');
      for (const text of textsIn(context, look % MIRRORED_EVERY === 1)) {
        if (passed.has(text)) {
          hooks.onWrong('notOurs');
          continue;
        }
        if (hooks.isLink(text) && !(await hooks.tryCode(text))) return;
        if (passed.size < MOST_PASSED) passed.add(text);
        hooks.onWrong('notOurs');
      }
      if (look % BARCODES_EVERY === 0 && (await showsBarcode?.(canvas)) === true) hooks.onWrong('barcode');
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

/** Texts of the codes in view, the one that is held up first. */
function textsIn(context: CanvasRenderingContext2D, isMirrored: boolean): string[] {
  const picture = context.getImageData(0, 0, context.canvas.width, context.canvas.height);
  if (isMirrored) mirror(picture);
  return codesIn(picture, decodeQR).map(({ text }) => text);
}

function isCovered(video: HTMLVideoElement): boolean {
  const small = new OffscreenCanvas(LIGHT_SIDE_PX, LIGHT_SIDE_PX).getContext('2d');
  if (small === null) return false;
  small.drawImage(video, 0, 0, LIGHT_SIDE_PX, LIGHT_SIDE_PX);
  return (
    pictureVerdict(lumaStatistics(small.getImageData(0, 0, LIGHT_SIDE_PX, LIGHT_SIDE_PX).data)) === 'covered'
  );
}
