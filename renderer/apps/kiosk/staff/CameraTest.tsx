/** Chooses the camera, and tests its picture where people will stand. */
import { useEffect, useRef, useState } from 'react';
import {
  cameraTroubleOf,
  closeCamera,
  looksVirtual,
  openPersonCamera,
  openRealCamera,
} from '../../../capture/camera/camera.ts';
import { grab } from '../../../capture/camera/frame-source.ts';
import { type PictureVerdict, videoVerdict } from '../../../capture/coaching/quality.ts';
import { createTurnedWatch } from '../../../capture/coaching/wrong-picture.ts';
import type { CameraTrouble } from '../../../i18n/messages.ts';
import { Button } from '../../../ui/Button.tsx';
import { Lead } from '../../../ui/Lead.tsx';
import { useKiosk } from '../context.ts';
import { Screen } from '../parts/Screen.tsx';

const LOOK_EVERY_MS = 500;
/** A camera without a picture by then is silent. */
const SILENT_AFTER_MS = 5_000;

type Failure = 'failed' | 'none' | 'refused' | 'forbidden' | 'busy' | 'silent';
type Verdict = PictureVerdict | 'starting' | 'turned' | Failure;
type Camera = { id: string; label: string };

const FAILED: Readonly<Partial<Record<CameraTrouble, Failure>>> = {
  denied: 'refused',
  framed: 'forbidden',
  forbidden: 'forbidden',
  in_use: 'busy',
  absent: 'none',
};

const FAILURES: readonly Verdict[] = ['failed', 'none', 'refused', 'forbidden', 'busy', 'silent'];

export function CameraTest({ onDone }: { onDone: () => void }) {
  const { memory, words, poke, desktop, landmarkers } = useKiosk();
  const texts = words.camera;
  const videoRef = useRef<HTMLVideoElement>(null);
  const [cameras, setCameras] = useState<readonly Camera[]>([]);
  const [chosen, setChosen] = useState(memory.cameraId());
  /** The camera whose picture is on the screen: one that was chosen may be gone. */
  const [shown, setShown] = useState<string | null>(null);
  const [verdict, setVerdict] = useState<Verdict>('starting');
  const [size, setSize] = useState({ width: 0, height: 0 });

  useEffect(() => {
    let stream: MediaStream | null = null;
    let isOver = false;
    const over = () => isOver;
    const openedAtMs = performance.now();
    const isTurned = createTurnedWatch();
    let frameId = 0;
    let isLooking = false;
    /** Whether a face in the picture is turned; false while the landmarker is not ready. */
    const looksTurned = async (video: HTMLVideoElement): Promise<boolean> => {
      const landmarker = landmarkers.get();
      await landmarker.ready;
      const atMs = performance.now();
      return isTurned(await landmarker.look((frameId += 1), atMs, await grab(video)));
    };
    const look = async () => {
      const video = videoRef.current;
      if (video === null || isLooking) return;
      if (video.videoWidth === 0) {
        const isSilent = performance.now() - openedAtMs > SILENT_AFTER_MS;
        if (isSilent) setVerdict((known) => (known === 'starting' ? 'silent' : known));
        return;
      }
      setSize({ width: video.videoWidth, height: video.videoHeight });
      const light = videoVerdict(video);
      isLooking = true;
      const turned = light !== 'covered' && (await looksTurned(video).catch(() => false));
      isLooking = false;
      if (!over() && stream?.active === true) setVerdict(turned ? 'turned' : light);
    };
    const timer = setInterval(() => void look(), LOOK_EVERY_MS);
    const start = async () => {
      const opened = await (desktop === null ? openPersonCamera(chosen) : openRealCamera(chosen));
      stream = opened.stream;
      if (over() || videoRef.current === null) {
        closeCamera(stream);
        return;
      }
      const [track] = stream.getVideoTracks();
      track?.addEventListener('ended', () => setVerdict('failed'));
      setShown(track?.getSettings().deviceId ?? chosen);
      videoRef.current.srcObject = stream;
    };
    start()
      .catch((error: unknown) => {
        if (!over()) setVerdict(FAILED[cameraTroubleOf(error)] ?? 'failed');
      })
      // Names are available only once a camera may be used.
      .then(() => navigator.mediaDevices.enumerateDevices())
      .then(
        (devices) => {
          if (over()) return;
          const found = devices.filter(
            ({ kind, label }) => kind === 'videoinput' && !(desktop !== null && looksVirtual(label)),
          );
          setCameras(found.map(({ deviceId, label }) => ({ id: deviceId, label })));
        },
        () => undefined,
      );
    return () => {
      isOver = true;
      clearInterval(timer);
      closeCamera(stream);
    };
  }, [chosen, desktop, landmarkers]);

  const said = verdict === 'good' ? texts.good({ width: size.width, height: size.height }) : texts[verdict];
  return (
    <Screen
      title={texts.title}
      icon="camera"
      actions={
        <>
          <div className="people" role="group" aria-label={texts.pick}>
            {cameras.map(({ id, label }, index) => (
              <Button
                key={id}
                look="side"
                aria-pressed={id === shown}
                onClick={() => {
                  poke();
                  if (id === chosen) return;
                  setVerdict('starting');
                  setShown(null);
                  setChosen(id);
                }}
              >
                {label === '' ? texts.unnamed({ number: index + 1 }) : label}
              </Button>
            ))}
          </div>
          <div className="row">
            <Button
              look="main"
              disabled={verdict === 'starting' || FAILURES.includes(verdict)}
              onClick={() => {
                memory.keepCameraId(shown);
                onDone();
              }}
            >
              {texts.use}
            </Button>
            <Button look="side" onClick={onDone}>
              {words.back}
            </Button>
          </div>
        </>
      }
    >
      <Lead>{texts.text}</Lead>
      <video ref={videoRef} className="scan__video" autoPlay muted playsInline aria-label={texts.preview} />
      <p className="lead" role="status" data-verdict={verdict}>
        {said}
      </p>
    </Screen>
  );
}
