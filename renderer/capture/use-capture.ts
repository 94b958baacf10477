/** Opens the camera, prepares the landmarker and runs one capture for as long as the component is shown. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { CameraTrouble } from '../i18n/messages.ts';
import { cameraTroubleOf, closeCamera, openCamera } from './camera.ts';
import { watchCamera } from './camera-hints.ts';
import { startCaptureRun, type CaptureRun, type CompletedCapture, type RunChallenge } from './capture-run.ts';
import type { CoachView } from './coach.ts';
import { CameraSilentError } from './frame-source.ts';
import type { Landmarker } from './landmarker.ts';
import { createPageLight } from './page-light.ts';

export type CaptureHost = {
  /** The landmarker to use, perhaps warmed up already. */
  getLandmarker: () => Landmarker;
  getChallenge: () => Promise<RunChallenge>;
  onDone: (capture: CompletedCapture) => void;
  /** The challenge was refused by the server. */
  onRefused: (error: unknown) => void;
  onTrouble: (trouble: CameraTrouble) => void;
  /** The page went out of sight; the camera is off. */
  onHidden: () => void;
  /** The page is to change its colours slowly. */
  wantsCalm: boolean;
  /** Device id of the camera to use; the front one when left out. */
  cameraId?: string | null;
  /** Told of each look at the camera, with what the person is asked for. */
  onView?: (view: CoachView) => void;
};

export type CaptureProgress =
  { kind: 'asking' } | { kind: 'preparing' } | { kind: 'coaching'; view: CoachView; restarted: boolean };

/** Attach `videoRef` to the preview's video element. */
export function useCapture(host: CaptureHost) {
  const videoRef = useRef<HTMLVideoElement>(null);
  const runRef = useRef<CaptureRun | null>(null);
  const [progress, setProgress] = useState<CaptureProgress>({ kind: 'asking' });
  const latestHost = useEffectEvent(() => host);

  useEffect(() => {
    let live = true;
    let stream: MediaStream | null = null;
    const over = new AbortController();
    let restarted = false;
    const pageLight = createPageLight();
    const isLive = () => live;
    const end = () => {
      live = false;
      pageLight.off();
      over.abort();
      runRef.current?.stop();
      runRef.current = null;
      closeCamera(stream);
      if (videoRef.current !== null) videoRef.current.srcObject = null;
    };
    const trouble = (kind: CameraTrouble) => {
      if (!live) return;
      end();
      latestHost().onTrouble(kind);
    };
    const hide = () => {
      if (!document.hidden || !live) return;
      end();
      latestHost().onHidden();
    };

    const begin = async () => {
      const landmarker = latestHost().getLandmarker();
      try {
        stream = await openCamera(latestHost().cameraId);
      } catch (error) {
        trouble(cameraTroubleOf(error));
        return;
      }
      const video = videoRef.current;
      if (!isLive() || video === null) {
        closeCamera(stream);
        return;
      }
      const cameraHints = watchCamera(stream.getVideoTracks()[0]);
      for (const track of stream.getVideoTracks()) {
        // A track that something still holds must not hold the run, and with it the person's token.
        track.addEventListener('ended', () => trouble('lost'), { signal: over.signal });
      }
      video.srcObject = stream;
      setProgress({ kind: 'preparing' });
      await video.play();
      await landmarker.ready;
      if (!isLive()) return;
      runRef.current = startCaptureRun({
        video,
        landmarker,
        getChallenge: () => latestHost().getChallenge(),
        wantsCalm: () => latestHost().wantsCalm,
        onView: (view, { tint, pace, atMs }) => {
          pageLight.show(tint, pace, atMs);
          if (view.stage === 'step') restarted = false;
          latestHost().onView?.(view);
          setProgress({ kind: 'coaching', view, restarted });
        },
        onRestarted: () => (restarted = true),
        onDone: (capture) => {
          const timeline = { ...capture.timeline, camera: cameraHints() };
          end();
          latestHost().onDone({ ...capture, timeline });
        },
        onRefused: (error) => {
          end();
          latestHost().onRefused(error);
        },
        onFailed: (error) => trouble(error instanceof CameraSilentError ? 'lost' : 'not_loaded'),
      });
    };
    begin().catch(() => trouble('not_loaded'));
    document.addEventListener('visibilitychange', hide);
    return () => {
      document.removeEventListener('visibilitychange', hide);
      end();
    };
  }, []);

  return { videoRef, progress, restart: () => runRef.current?.restart() };
}
