/** The camera: opened, watched, and switched off for good as soon as it is no longer needed. */
import type { CameraTrouble } from '../i18n/messages.ts';

const PICTURE: MediaTrackConstraints = {
  width: { ideal: 960 },
  height: { ideal: 720 },
  frameRate: { ideal: 30 },
};

/** Another camera than the one that was chosen may look elsewhere: it does not stand in. */
const wanted = (cameraId: string | null): MediaStreamConstraints => ({
  audio: false,
  video: { ...PICTURE, ...(cameraId === null ? { facingMode: 'user' } : { deviceId: { exact: cameraId } }) },
});

/** Which trouble a failed `getUserMedia` stands for. Names as in the Media Capture specification. */
export function cameraTroubleOf(error: unknown): CameraTrouble {
  const name = error instanceof Error ? error.name : '';
  switch (name) {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'denied';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'absent';
    case 'NotReadableError':
    case 'AbortError':
      return 'in_use';
    default:
      return 'unsupported';
  }
}

/** Whether the browser offers cameras at all. It does not on insecure origins and in some in-app browsers. */
export const hasCameraInterface = (): boolean =>
  (navigator.mediaDevices as MediaDevices | undefined)?.getUserMedia !== undefined;

/**
 * Opens a camera: the one that was chosen by its device id, else the front one. Rejects with what `cameraTroubleOf`
 * understands.
 */
export async function openCamera(cameraId: string | null = null): Promise<MediaStream> {
  if (!hasCameraInterface()) throw new Error('no media devices');
  return navigator.mediaDevices.getUserMedia(wanted(cameraId));
}

export function closeCamera(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}
