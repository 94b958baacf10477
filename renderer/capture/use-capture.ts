/** Opens the camera, prepares the landmarker and runs one capture for as long as the component is shown. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { CameraTrouble } from '../i18n/messages.ts';
import { reportPageError } from '../ui/page-errors.ts';
import { cameraTroubleOf, closeCamera, type PersonCamera, watchCamera } from './camera.ts';
import {
  startCaptureRun,
  type CaptureRun,
  type CompletedCapture,
  type RestartReason,
  type RunChallenge,
} from './capture-run.ts';
import type { CoachView } from './coach.ts';
import { CameraSilentError } from './frame-source.ts';
import type { Landmarker } from './landmarker.ts';
import { LoadFailure } from './load-trouble.ts';
import { createPageLight } from './page-light.ts';
import { createStepSignal } from './signals.ts';
import { keepScreenOn } from './wake-lock.ts';

export type CaptureHost = {
  /** The landmarker to use, perhaps warmed up already. */
  getLandmarker: () => Landmarker;
  /** Opens a camera, or hands over one that is on already. Rejects with what `cameraTroubleOf` understands. */
  takeCamera: (cameraId: string | null) => Promise<PersonCamera>;
  getChallenge: () => Promise<RunChallenge>;
  onDone: (capture: CompletedCapture) => void;
  /** The challenge was refused by the server. */
  onRefused: (error: unknown) => void;
  onTrouble: (trouble: CameraTrouble) => void;
  /** The page went out of sight, or a call took the camera, which is off. */
  onHidden: () => void;
  /** The page is to change its colours slowly. */
  wantsCalm: boolean;
  /** Device id of the camera to use; the front one when left out. */
  cameraId?: string | null;
  /** Told of each look at the camera, with what the person is asked for. */
  onView?: (view: CoachView) => void;
};

export type CaptureProgress =
  | { kind: 'asking' }
  /** The browser plays the camera's picture only after a tap: call `start` in its event. */
  | { kind: 'tap'; start: () => void }
  /** `loaded` is how much of the files is there, 0 to 1; null where it is not known or all there. */
  | { kind: 'preparing'; loaded: number | null }
  | { kind: 'coaching'; view: CoachView; restarted: RestartReason | null };

/** A camera that another app has taken gives nothing; shorter than this it was merely started. */
const MUTED_AFTER_MS = 1_000;
const LOADING_SHOWN_EVERY_MS = 250;

/** Attach `videoRef` to the preview's video element. */
export function useCapture(host: CaptureHost) {
  const videoRef = useRef<HTMLVideoElement>(null);
  const runRef = useRef<CaptureRun | null>(null);
  const [progress, setProgress] = useState<CaptureProgress>({ kind: 'asking' });
  const [nextCameraId, setNextCameraId] = useState<string | null>(null);
  const latestHost = useEffectEvent(() => host);

  useEffect(() => {
    let live = true;
    let stream: MediaStream | null = null;
    const over = new AbortController();
    let restarted: RestartReason | null = null;
    let loadingTimer: ReturnType<typeof setInterval> | undefined;
    let mutedTimer: ReturnType<typeof setTimeout> | undefined;
    const pageLight = createPageLight();
    const signal = createStepSignal();
    let stepsDone = 0;
    const letScreenGo = keepScreenOn();
    const isLive = () => live;
    const end = () => {
      live = false;
      pageLight.off();
      letScreenGo();
      signal.end();
      clearInterval(loadingTimer);
      clearTimeout(mutedTimer);
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
    const pause = () => {
      if (!live) return;
      end();
      latestHost().onHidden();
    };
    const pauseWhenHidden = () => {
      if (document.hidden) pause();
    };
    const play = async (video: HTMLVideoElement) => {
      try {
        await video.play();
      } catch (error) {
        if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') throw error;
        // As on an iPhone in low power mode.
        await new Promise<void>((resolve) => {
          const start = () => void video.play().then(resolve, () => undefined);
          setProgress({ kind: 'tap', start });
        });
        setProgress({ kind: 'preparing', loaded: null });
      }
    };

    const begin = async () => {
      const landmarker = latestHost().getLandmarker();
      try {
        const opened = await latestHost().takeCamera(latestHost().cameraId ?? null);
        stream = opened.stream;
        setNextCameraId(opened.nextId);
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
        const muted = () => {
          clearTimeout(mutedTimer);
          mutedTimer = setTimeout(() => track.muted && pause(), MUTED_AFTER_MS);
        };
        track.addEventListener('mute', muted, { signal: over.signal });
      }
      video.srcObject = stream;
      setProgress({ kind: 'preparing', loaded: null });
      await play(video);
      const showLoaded = () => {
        const loaded = landmarker.loaded?.() ?? 1;
        setProgress({ kind: 'preparing', loaded: loaded < 1 ? loaded : null });
      };
      showLoaded();
      loadingTimer = setInterval(showLoaded, LOADING_SHOWN_EVERY_MS);
      await landmarker.ready;
      clearInterval(loadingTimer);
      if (!isLive()) return;
      runRef.current = startCaptureRun({
        video,
        landmarker,
        getChallenge: () => latestHost().getChallenge(),
        wantsCalm: () => latestHost().wantsCalm,
        onView: (view, { tint, pace, atMs }) => {
          pageLight.show(tint, pace, atMs);
          if (view.stage === 'step') restarted = null;
          if (view.stepsDone > stepsDone) signal.give();
          stepsDone = view.stepsDone;
          latestHost().onView?.(view);
          setProgress({ kind: 'coaching', view, restarted });
        },
        onRestarted: (reason) => (restarted = reason),
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
    begin().catch((error: unknown) => {
      if (!isLive()) return;
      reportPageError('load', error);
      trouble(error instanceof LoadFailure ? error.trouble : 'not_loaded');
    });
    document.addEventListener('visibilitychange', pauseWhenHidden);
    window.addEventListener('pagehide', pause);
    return () => {
      document.removeEventListener('visibilitychange', pauseWhenHidden);
      window.removeEventListener('pagehide', pause);
      end();
    };
  }, []);

  return { videoRef, progress, nextCameraId, restart: () => runRef.current?.restart() };
}
