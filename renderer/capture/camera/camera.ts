/** The camera: opened, watched, and turned off permanently as soon as it is no longer needed. */
import type { CameraTrouble } from '../../i18n/messages.ts';
import { hasCameraInterface } from './camera-permission.ts';
import { forbidderOf } from './camera-policy.ts';

const PICTURE: MediaTrackConstraints = {
  width: { ideal: 960 },
  height: { ideal: 720 },
  frameRate: { ideal: 30 },
};

async function open(which: MediaTrackConstraints): Promise<MediaStream> {
  if (!hasCameraInterface()) throw new Error('no media devices');
  return navigator.mediaDevices.getUserMedia({ audio: false, video: { ...PICTURE, ...which } });
}

/** The trouble of a failed `getUserMedia`. Names as in the Media Capture specification. */
export function cameraTroubleOf(error: unknown): CameraTrouble {
  // A browser may call a camera absent that it only hides.
  const forbidder = forbidderOf();
  if (forbidder !== null) return forbidder;
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

/**
 * Opens a camera: the one with the chosen device ID, else the front one. Rejects with errors for `cameraTroubleOf`.
 */
export const openCamera = (cameraId: string | null = null): Promise<MediaStream> =>
  open(cameraId === null ? { facingMode: 'user' } : { deviceId: { exact: cameraId } });

/** The camera on the back of a phone, which reads what others hold up. Rejects as `openCamera`. */
export const openRearCamera = (): Promise<MediaStream> => open({ facingMode: 'environment' });

/**
 * Like `openPersonCamera`, but never a virtual camera: uses another one if no camera was chosen. For the desktop
 * kiosk, whose pictures count as those of a camera at the door. Rejects as if there were no camera.
 */
export async function openRealCamera(cameraId: string | null): Promise<PersonCamera> {
  const camera = await openPersonCamera(cameraId, false);
  if (!looksVirtual(camera.stream.getVideoTracks()[0]?.label ?? '')) return camera;
  closeCamera(camera.stream);
  const isChosen =
    cameraId !== null && camera.stream.getVideoTracks()[0]?.getSettings().deviceId === cameraId;
  const devices = isChosen ? [] : await navigator.mediaDevices.enumerateDevices();
  const real = devices.find(({ kind, label }) => kind === 'videoinput' && !looksVirtual(label));
  if (real === undefined) throw new DOMException('The camera is a virtual one.', 'NotFoundError');
  return openPersonCamera(real.deviceId, false);
}

export type PersonCamera = {
  stream: MediaStream;
  /** The camera to offer instead; null if this one is known to face the person, or is the only one. */
  nextId: string | null;
  /** Another camera, for a person who has no picture from this one; null if there is none. */
  otherId: string | null;
};

/** A chosen camera that is gone, or whose ID the browser has renewed, gives way to any that works. */
async function openChosen(cameraId: string | null): Promise<{ stream: MediaStream; isChosen: boolean }> {
  if (cameraId === null) return { stream: await openCamera(), isChosen: false };
  try {
    return { stream: await openCamera(cameraId), isChosen: true };
  } catch (error) {
    if (cameraTroubleOf(error) !== 'absent') throw error;
    return { stream: await openCamera(), isChosen: false };
  }
}

/**
 * Like `openCamera`; if a phone opened its back camera by default, switches to its front one. Phones that do not
 * report where their cameras face leave it to the person. A chosen camera that is gone is replaced.
 * @param mayBeVirtual whether a virtual camera may be offered instead
 */
export async function openPersonCamera(cameraId: string | null, mayBeVirtual = true): Promise<PersonCamera> {
  const { isChosen, ...opened } = await openChosen(cameraId);
  let { stream } = opened;
  const facing = () => facingOf(stream.getVideoTracks()[0]);
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  const cameras = devices.filter(
    ({ kind, label }) => kind === 'videoinput' && (mayBeVirtual || !looksVirtual(label)),
  );
  const front = cameras.find(({ label }) => facingByName(label) === 'user');
  if (!isChosen && facing() === 'environment' && front !== undefined) {
    // Many phones open only one camera at a time.
    closeCamera(stream);
    stream = await openCamera(front.deviceId).catch(() => openCamera());
  }
  const openId = stream.getVideoTracks()[0]?.getSettings().deviceId;
  const index = cameras.findIndex(({ deviceId }) => deviceId === openId);
  const next = cameras[(index + 1) % cameras.length]?.deviceId;
  const otherId = next === undefined || next === openId ? null : next;
  return { stream, nextId: facing() === 'user' ? null : otherId, otherId };
}

type Facing = 'user' | 'environment';

function facingOf(track: MediaStreamTrack | undefined): Facing | null {
  const mode = track?.getSettings().facingMode;
  return mode === 'user' || mode === 'environment' ? mode : facingByName(track?.label ?? '');
}

/** Where a camera faces according to its name, in the languages that phones use for it. */
export function facingByName(label: string): Facing | null {
  if (/\b(back|rear|rück|hinter|arri[eè]re|dorsale?|trasera)/i.test(label)) return 'environment';
  return /\b(front|vorder|avant|frontal|delantera|selfie)/i.test(label) ? 'user' : null;
}

export function closeCamera(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/**
 * What the page can detect about its camera: hints for the risk score, proof of nothing. Names of devices stay here.
 */
type CameraHints = { virtual: boolean; changed: boolean };

/** Words in the names of programs that replace a camera. */
const VIRTUAL =
  /\b(virtual|obs|manycam|xsplit|splitcam|droidcam|iriun|snap camera|mmhmm|ndi|loopback|dummy|fake)\b/i;

export const looksVirtual = (label: string): boolean => VIRTUAL.test(label);

/** The same for a rotated phone, which swaps width and height. */
const sizeOf = (settings: MediaTrackSettings | undefined): string =>
  [settings?.width ?? 0, settings?.height ?? 0].toSorted((a, b) => a - b).join();

type Track = Pick<MediaStreamTrack, 'label' | 'getSettings'>;

type CameraWatch = {
  /** What to report when a capture begins, which then belongs to the camera that gives the picture now. */
  report: () => CameraHints;
  /** Whether the picture comes from another camera, or in another size, than at the last report. */
  isSwapped: () => boolean;
};

/** @param track the camera as it was opened */
export function watchCamera(track: Track | undefined): CameraWatch {
  const present = (): string => {
    const settings = track?.getSettings();
    return `${settings?.deviceId ?? ''} ${sizeOf(settings)}`;
  };
  let reported = present();
  let hasChanged = false;
  const isSwapped = () => {
    const isOther = present() !== reported;
    hasChanged ||= isOther;
    return isOther;
  };
  return {
    isSwapped,
    report() {
      isSwapped();
      reported = present();
      return { virtual: looksVirtual(track?.label ?? ''), changed: hasChanged };
    },
  };
}
