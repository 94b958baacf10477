/** Frames from a playing video, as the camera took them: not mirrored, not larger than needed. */

/** Maximum length of the longer side of a frame that is sent. */
const MAX_SIDE_PX = 960;
/** A camera without a frame for this long is gone, whatever its track reports. */
const SILENT_AFTER_MS = 5_000;

export class CameraSilentError extends Error {
  constructor() {
    super('the camera gives no frames');
    this.name = 'CameraSilentError';
  }
}

/**
 * Whether a camera opens and sends a picture within the time: some are open and stay silent. No page shows the picture,
 * and nothing reads it. Rejects as `camera`.
 */
export async function sendsPicture(
  camera: Promise<{ stream: MediaStream }>,
  withinMs: number,
): Promise<boolean> {
  const video = document.createElement('video');
  Object.assign(video, { muted: true, playsInline: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<boolean>((resolve, reject) => {
      video.addEventListener('loadeddata', () => resolve(true));
      // A browser may hold back the frames of a page that it hides.
      timer = setTimeout(() => resolve(document.hidden), withinMs);
      camera.then(({ stream }) => {
        video.srcObject = stream;
        video.play().catch(() => undefined);
      }, reject);
    });
  } finally {
    clearTimeout(timer);
    video.srcObject = null;
  }
}

/** Resolves at the video's next frame. */
export function nextFrame(video: HTMLVideoElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new CameraSilentError()), SILENT_AFTER_MS);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    if ('requestVideoFrameCallback' in video) video.requestVideoFrameCallback(done);
    else requestAnimationFrame(done);
  });
}

/** Size of a frame within the limit, keeping its aspect ratio. */
export function fitted(widthPx: number, heightPx: number): { width: number; height: number } {
  const scale = Math.min(1, MAX_SIDE_PX / Math.max(widthPx, heightPx, 1));
  return { width: Math.round(widthPx * scale), height: Math.round(heightPx * scale) };
}

const STILL_QUALITY = 0.85;

/** The current frame as JPEG, using only a 2-D canvas. Rejects if the browser returns no picture. */
export function stillOf(video: HTMLVideoElement): Promise<Blob> {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, fitted(video.videoWidth, video.videoHeight));
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    const done = (jpeg: Blob | null) => (jpeg === null ? reject(new Error('no still')) : resolve(jpeg));
    canvas.toBlob(done, 'image/jpeg', STILL_QUALITY);
  });
}

/** A frame for the landmarker. */
export function grab(video: HTMLVideoElement): Promise<ImageBitmap> {
  const { width, height } = fitted(video.videoWidth, video.videoHeight);
  return width === video.videoWidth
    ? createImageBitmap(video)
    : createImageBitmap(video, { resizeWidth: width, resizeHeight: height, resizeQuality: 'medium' });
}
