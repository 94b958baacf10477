/** Whether a camera exists and may be used, determined without turning it on. */
import type { KioskCamera } from '../../../../server/contract/kiosk.ts';
import { cameraPermission } from '../../../capture/camera/camera-permission.ts';
import { forbidderOf } from '../../../capture/camera/camera-policy.ts';
import { looksVirtual } from '../../../capture/camera/camera.ts';

export type CameraPresence = Extract<KioskCamera, 'unknown' | 'ready' | 'refused' | 'missing'>;

/** If the browser sends no event, an unplugged camera is noticed only by polling. */
const LOOK_EVERY_MS = 3_000;

/** @param isRealWanted virtual cameras do not count */
async function cameraPresence(isRealWanted: boolean): Promise<CameraPresence> {
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (devices === undefined) return 'missing';
  if (forbidderOf() !== null) return 'refused';
  const cameras = (await devices.enumerateDevices()).filter(
    ({ kind, label }) => kind === 'videoinput' && !(isRealWanted && looksVirtual(label)),
  );
  if (cameras.length === 0) return 'missing';
  const permission = (await cameraPermission())?.state ?? 'prompt';
  if (permission === 'denied') return 'refused';
  return permission === 'granted' ? 'ready' : 'unknown';
}

/**
 * Reports the state now and whenever it may have changed.
 * @returns a function that stops
 */
export function watchCamera(onChange: (presence: CameraPresence) => void, isRealWanted: boolean): () => void {
  let isStopped = false;
  const look = () => {
    cameraPresence(isRealWanted).then(
      (presence) => {
        if (!isStopped) onChange(presence);
      },
      () => undefined,
    );
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  devices?.addEventListener('devicechange', look);
  look();
  return () => {
    isStopped = true;
    clearInterval(timer);
    devices?.removeEventListener('devicechange', look);
  };
}
