/** Whether a camera is there and may be used, found out without switching it on. */
import type { KioskCamera } from '../../../server/contract/kiosk.ts';
import { cameraPermission } from '../../capture/camera-permission.ts';
import { looksVirtual } from '../../capture/camera.ts';

export type CameraPresence = Extract<KioskCamera, 'unknown' | 'ready' | 'refused' | 'missing'>;

/** A camera that is not asked for cannot tell that it was pulled out where the browser sends no event. */
const LOOK_EVERY_MS = 3_000;

/** @param cameraId the one that staff chose, null for any @param isRealWanted virtual cameras do not count */
export async function cameraPresence(
  cameraId: string | null,
  isRealWanted: boolean,
): Promise<CameraPresence> {
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (devices === undefined) return 'missing';
  const cameras = (await devices.enumerateDevices()).filter(
    ({ kind, label }) => kind === 'videoinput' && !(isRealWanted && looksVirtual(label)),
  );
  if (cameras.length === 0) return 'missing';
  const permission = (await cameraPermission())?.state ?? 'prompt';
  if (permission === 'denied') return 'refused';
  // Ids are told only to a page that may use cameras.
  const isIdKnown = cameras.some(({ deviceId }) => deviceId !== '');
  if (cameraId !== null && isIdKnown && !cameras.some(({ deviceId }) => deviceId === cameraId))
    return 'missing';
  return permission === 'granted' ? 'ready' : 'unknown';
}

/** Tells now and whenever something may have changed. @returns how to stop */
export function watchCamera(
  cameraId: () => string | null,
  onChange: (presence: CameraPresence) => void,
  isRealWanted: boolean,
): () => void {
  let isStopped = false;
  const look = () => {
    cameraPresence(cameraId(), isRealWanted).then(
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
