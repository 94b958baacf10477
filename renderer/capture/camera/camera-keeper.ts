/**
 * A camera that is turned on before it is needed, so that guests do not wait for it. Until a capture takes it, no
 * element shows its picture and no frame is read.
 */
import { cameraTroubleOf, closeCamera, openPersonCamera, type PersonCamera } from './camera.ts';

export type CameraKeeper = {
  /** Turns a camera on; does nothing if it is on already. `take` reports a failure. */
  warm: (cameraId: string | null) => void;
  /** The camera, warm or opened now. The caller has to close it. Rejects as `openPersonCamera`. */
  take: (cameraId: string | null) => Promise<PersonCamera>;
  /** Turns off a camera that was not taken. */
  cool: () => void;
};

type Warm = { cameraId: string | null; camera: Promise<PersonCamera> };

const isRunning = ({ stream }: PersonCamera): boolean =>
  stream.getVideoTracks().some(({ readyState, muted }) => readyState === 'live' && !muted);

export function createCameraKeeper(
  open: (cameraId: string | null) => Promise<PersonCamera> = openPersonCamera,
): CameraKeeper {
  let warm: Warm | null = null;
  const cool = () => {
    const unused = warm;
    warm = null;
    unused?.camera.then(({ stream }) => closeCamera(stream)).catch(() => undefined);
  };
  return {
    cool,
    warm(cameraId) {
      if (warm?.cameraId === cameraId) return;
      cool();
      const made: Warm = { cameraId, camera: open(cameraId) };
      warm = made;
      const drop = () => {
        if (warm === made) warm = null;
      };
      made.camera.then(
        ({ stream }) => stream.getVideoTracks().forEach((track) => track.addEventListener('ended', drop)),
        // After a refusal, `take` does not ask again.
        (error: unknown) => {
          if (cameraTroubleOf(error) !== 'denied') drop();
        },
      );
    },
    async take(cameraId) {
      if (warm?.cameraId !== cameraId) cool();
      const kept = warm;
      warm = null;
      const camera = await kept?.camera;
      if (camera !== undefined && isRunning(camera)) return camera;
      closeCamera(camera?.stream ?? null);
      return open(cameraId);
    },
  };
}
