/** The camera: opened, watched, and switched off for good as soon as it is no longer needed. */
import type { CameraTrouble } from '../i18n/messages.ts';

const WANTED: MediaStreamConstraints = {
  audio: false,
  video: {
    facingMode: 'user',
    width: { ideal: 960 },
    height: { ideal: 720 },
    frameRate: { ideal: 30 },
  },
};

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

/** Opens the front camera. Rejects with what `cameraTroubleOf` understands. */
export async function openCamera(): Promise<MediaStream> {
  // Absent on insecure origins and in some in-app browsers, whatever the types say.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (devices === undefined) throw new Error('no media devices');
  return devices.getUserMedia(WANTED);
}

export function closeCamera(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}
