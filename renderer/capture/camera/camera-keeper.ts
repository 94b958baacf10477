/**
 * A camera that is turned on before it is needed, so that guests do not wait for it. Until a capture takes it, its
 * picture is neither shown nor read; only that there is one is noticed.
 */
import { cameraTroubleOf, closeCamera, openPersonCamera, type PersonCamera } from './camera.ts';
import { sendsPicture } from './frame-source.ts';

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

/** A camera that has no picture by then is silent, whether it did not open or sends nothing. */
const PICTURE_WITHIN_MS = 10_000;
/** A silent camera is opened again and again, after up to six times as long: a hung driver gains nothing from haste. */
const MOST_TIMES_LONGER = 6;

type KeeperOptions = {
  open?: (cameraId: string | null) => Promise<PersonCamera>;
  /** Called for each warm camera with whether it has a picture. A silent one is opened again while it is wanted. */
  onPicture?: (isThere: boolean) => void;
  sends?: typeof sendsPicture;
};

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function createCameraKeeper({
  open = (cameraId) => openPersonCamera(cameraId),
  onPicture,
  sends = sendsPicture,
}: KeeperOptions = {}): CameraKeeper {
  let warm: Warm | null = null;
  let silentTimes = 0;
  const isWarm = (made: Warm) => warm === made;
  /** Resolves with null if the camera failed, which others report. */
  const watch = async (made: Warm) => {
    const isThere = await sends(made.camera, PICTURE_WITHIN_MS).catch(() => null);
    if (!isWarm(made) || isThere === null) return;
    onPicture?.(isThere);
    silentTimes = isThere ? 0 : silentTimes + 1;
    if (isThere) return;
    await pause(PICTURE_WITHIN_MS * Math.min(silentTimes - 1, MOST_TIMES_LONGER - 1));
    if (!isWarm(made)) return;
    cool();
    keeper.warm(made.cameraId);
  };
  const cool = () => {
    const unused = warm;
    warm = null;
    unused?.camera.then(({ stream }) => closeCamera(stream)).catch(() => undefined);
  };
  const keeper: CameraKeeper = {
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
      if (onPicture !== undefined) void watch(made);
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
  return keeper;
}
