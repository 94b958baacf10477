/**
 * Opens the camera and the connection, prepares the landmarker and runs a capture while the component is shown.
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { AgainReason } from '../../server/contract/capture.ts';
import type { Snapshot } from '../../server/contract/flow.ts';
import type { CameraTrouble } from '../i18n/messages.ts';
import { reportPageError } from '../ui/page-errors.ts';
import { cameraPermission } from './camera/camera-permission.ts';
import { cameraTroubleOf, closeCamera, type PersonCamera, watchCamera } from './camera/camera.ts';
import { CameraSilentError } from './camera/frame-source.ts';
import type { Landmarker } from './landmarks/landmarker.ts';
import { type StartedCapture, type CaptureView, startCapture } from './exchange/capture.ts';
import { carriersOf, type CaptureEndpoint } from './exchange/carriers.ts';
import { createCaptureClient, type CaptureClient } from './exchange/client.ts';
import { LoadFailure, type LoadTrouble } from './landmarks/load-trouble.ts';
import { createPageLight } from './exchange/page-light.ts';
import { createStepSignal } from './coaching/signals.ts';
import { keepScreenOn } from '../ui/screen-on.ts';

export type CaptureHost = {
  /** The landmarker to use, perhaps already warmed up. */
  getLandmarker: () => Landmarker;
  endpoint: CaptureEndpoint;
  /** Opens a camera, or takes over one that is on already. Rejects with errors for `cameraTroubleOf`. */
  takeCamera: (cameraId: string | null) => Promise<PersonCamera>;
  onVerdict: (snapshot: Snapshot) => void;
  /**
   * The server refused the capture.
   * @param code an error of the flow API or of the capture
   */
  onRefused: (code: string) => void;
  onTrouble: (trouble: CameraTrouble) => void;
  /** There is still no picture; the capture still waits for it. */
  onNoPicture?: () => void;
  /** The page was hidden, or a call took the camera, which is now off. */
  onHidden: () => void;
  /** Another page of this device has started a capture of the same run. */
  onTakenOver: () => void;
  /** The page has to change its colours slowly. */
  wantsCalm: boolean;
  /** Device ID of the camera. Defaults to the front one. */
  cameraId?: string | null;
  /** Called with each analysed frame and the current request. */
  onView?: (view: CaptureView) => void;
};

/** Why the capture began again: it took too long, the phone was turned, or another camera gives the picture. */
type RestartReason = 'challengeEnded' | 'turned' | 'cameraChanged';

export type CaptureProgress =
  | { kind: 'asking' }
  /** The browser plays the camera's picture only after a tap: call `start` in its event. */
  | { kind: 'tap'; start: () => void }
  /** `loaded` is the loaded share of the files, 0 to 1; null if unknown or complete. */
  | { kind: 'preparing'; loaded: number | null }
  | { kind: 'coaching'; view: CaptureView; restarted: RestartReason | null }
  /** The person has nothing to do while the server judges. It may request one more step. */
  | { kind: 'checking' };

/** How long the person waits for the camera's picture: `long` says more, `none` offers other ways. */
type PictureWait = 'short' | 'long' | 'unanswered' | 'none';
const LONG_WAIT_MS = 5_000;
const NO_PICTURE_MS = 10_000;

/** A camera that another app has taken sends no frames; for a shorter time it was only starting. */
const MUTED_AFTER_MS = 1_000;
const LOADING_SHOWN_EVERY_MS = 250;

const ONLY_CAMERA = { nextId: null, otherId: null };

const loadTroubleIn = (error: unknown): LoadTrouble =>
  error instanceof LoadFailure ? error.trouble : 'not_loaded';

/** Attach `videoRef` to the preview's video element. */
export function useCapture(host: CaptureHost) {
  const videoRef = useRef<HTMLVideoElement>(null);
  const restartRef = useRef<() => void>(undefined);
  const [progress, setProgress] = useState<CaptureProgress>({ kind: 'asking' });
  const [isConnected, setConnected] = useState(true);
  const [cameraIds, setCameraIds] = useState<Pick<PersonCamera, 'nextId' | 'otherId'>>(ONLY_CAMERA);
  const [wait, setWait] = useState<PictureWait>('short');
  const latestHost = useEffectEvent(() => host);

  useEffect(() => {
    let isOpen = true;
    let stream: MediaStream | null = null;
    let capture: StartedCapture | null = null;
    let client: CaptureClient | null = null;
    const over = new AbortController();
    let restarted: RestartReason | null = null;
    let isChecking = false;
    let loadingTimer: ReturnType<typeof setInterval> | undefined;
    let mutedTimer: ReturnType<typeof setTimeout> | undefined;
    const pageLight = createPageLight();
    const signal = createStepSignal();
    const letScreenGo = keepScreenOn();
    const isOpenNow = () => isOpen;
    const waiting: ReturnType<typeof setTimeout>[] = [];
    const stopWaiting = () => {
      for (const timer of waiting.splice(0)) clearTimeout(timer);
      setWait('short');
    };
    const giveUpWaiting = async () => {
      // A question of the browser that nobody has answered yet is no fault of the camera.
      const isAsking = stream === null && (await cameraPermission())?.state === 'prompt';
      if (!isOpenNow() || waiting.length === 0) return;
      setWait(isAsking ? 'unanswered' : 'none');
      latestHost().onNoPicture?.();
    };
    const startWaiting = () => {
      waiting.push(setTimeout(() => setWait('long'), LONG_WAIT_MS));
      waiting.push(setTimeout(() => void giveUpWaiting(), NO_PICTURE_MS));
    };
    /** @param gaveUp the person left; otherwise the capture can be resumed */
    const end = (gaveUp = false) => {
      isOpen = false;
      clearTimeout(mutedTimer);
      stopWaiting();
      over.abort();
      capture?.stop();
      capture = null;
      pageLight.off();
      closeCamera(stream);
      if (videoRef.current !== null) videoRef.current.srcObject = null;
      letScreenGo();
      signal.end();
      clearInterval(loadingTimer);
      if (gaveUp) client?.leave();
      else client?.close();
    };
    const trouble = (kind: CameraTrouble) => {
      if (!isOpen) return;
      end();
      latestHost().onTrouble(kind);
    };
    const pause = () => {
      if (!isOpen) return;
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
        stopWaiting();
        // As on an iPhone in low power mode.
        await new Promise<void>((resolve) => {
          const start = () => void video.play().then(resolve, () => undefined);
          setProgress({ kind: 'tap', start });
        });
        setProgress({ kind: 'preparing', loaded: null });
      }
    };
    const again = (reason: AgainReason) => {
      if (reason === 'taken_over') {
        end();
        latestHost().onTakenOver();
        return;
      }
      // The last request no longer counts, and must not hide the reason.
      capture?.begin();
      if (reason === 'too_slow') restarted = 'challengeEnded';
    };
    const connect = () =>
      createCaptureClient(carriersOf(latestHost().endpoint), latestHost().endpoint.resume, {
        onBegun() {
          isChecking = false;
          capture?.begin();
        },
        onRequest(request) {
          isChecking = false;
          capture?.ask(request);
        },
        onJudged: (judged) => capture?.judged(judged),
        onChecking() {
          isChecking = true;
          setProgress({ kind: 'checking' });
        },
        onVerdict(snapshot) {
          end();
          latestHost().onVerdict(snapshot);
        },
        onAgain: again,
        onRefused(code) {
          end();
          latestHost().onRefused(code);
        },
        onConnected: setConnected,
      });
    /** Null if this browser cannot run one. */
    const loadLandmarker = async (): Promise<Landmarker | null> => {
      const landmarker = latestHost().getLandmarker();
      const showLoaded = () => {
        const loaded = landmarker.loaded?.() ?? 1;
        setProgress({ kind: 'preparing', loaded: loaded < 1 ? loaded : null });
      };
      showLoaded();
      loadingTimer = setInterval(showLoaded, LOADING_SHOWN_EVERY_MS);
      try {
        await landmarker.ready;
        return landmarker;
      } catch (error) {
        // The server finds the face in the stills of a browser without a landmarker.
        if (loadTroubleIn(error) === 'no_engine') return null;
        throw error;
      } finally {
        clearInterval(loadingTimer);
      }
    };

    const begin = async () => {
      startWaiting();
      latestHost().getLandmarker();
      const connection = connect();
      client = connection;
      try {
        const opened = await latestHost().takeCamera(latestHost().cameraId ?? null);
        stream = opened.stream;
        setCameraIds(opened);
      } catch (error) {
        trouble(cameraTroubleOf(error));
        return;
      }
      const video = videoRef.current;
      if (!isOpenNow() || video === null) {
        closeCamera(stream);
        return;
      }
      const cameraTrack = stream.getVideoTracks()[0];
      const camera = watchCamera(cameraTrack);
      const { resume } = latestHost().endpoint;
      const cameraId = cameraTrack?.getSettings().deviceId;
      if (resume.key !== null && resume.cameraId !== cameraId) {
        resume.key = null;
        restarted = 'cameraChanged';
      }
      resume.cameraId = cameraId;
      for (const track of stream.getVideoTracks()) {
        // A track that is still referenced must not keep the run, and with it the person's token, in memory.
        track.addEventListener('ended', () => trouble('lost'), {
          signal: over.signal,
        });
        const muted = () => {
          clearTimeout(mutedTimer);
          mutedTimer = setTimeout(() => track.muted && pause(), MUTED_AFTER_MS);
        };
        track.addEventListener('mute', muted, { signal: over.signal });
      }
      video.srcObject = stream;
      setProgress({ kind: 'preparing', loaded: null });
      await play(video);
      stopWaiting();
      const landmarker = await loadLandmarker();
      if (!isOpenNow()) return;
      const greeting = () => ({
        mode: landmarker === null ? ('stills' as const) : ('coached' as const),
        calm: latestHost().wantsCalm,
        camera: camera.report(),
      });
      /** Why the picture no longer fits the capture. While the server judges, it waits for a further request. */
      let unfit: RestartReason | null = null;
      const restart = (reason: RestartReason | null) => {
        unfit = null;
        resume.cameraId = cameraTrack?.getSettings().deviceId;
        capture?.begin();
        restarted = reason;
        connection.restart(greeting());
      };
      restartRef.current = () => restart(null);
      capture = startCapture({
        video,
        landmarker,
        client: connection,
        wantsCalm: () => latestHost().wantsCalm,
        onView: (view, { tint, pace, atMs }) => {
          pageLight.show(tint, pace, atMs);
          if (view.step !== null) restarted = null;
          latestHost().onView?.(view);
          if (!isChecking) setProgress({ kind: 'coaching', view, restarted });
          if (camera.isSwapped()) unfit ??= 'cameraChanged';
          if (unfit !== null && !isChecking) restart(unfit);
        },
        onReshaped: (isTurned) => (unfit = isTurned ? 'turned' : 'cameraChanged'),
        onStepTaken: signal.give,
        onFailed: (error) => trouble(error instanceof CameraSilentError ? 'lost' : 'not_loaded'),
      });
      connection.start(greeting());
    };
    begin().catch((error: unknown) => {
      if (!isOpenNow()) return;
      reportPageError('load', error);
      const kind = loadTroubleIn(error);
      trouble(kind === 'no_engine' ? 'not_loaded' : kind);
    });
    document.addEventListener('visibilitychange', pauseWhenHidden);
    window.addEventListener('pagehide', pause);
    return () => {
      document.removeEventListener('visibilitychange', pauseWhenHidden);
      window.removeEventListener('pagehide', pause);
      if (isOpen) end(true);
    };
  }, []);

  return {
    videoRef,
    progress,
    isConnected,
    cameraIds,
    wait,
    restart: () => restartRef.current?.(),
  };
}
