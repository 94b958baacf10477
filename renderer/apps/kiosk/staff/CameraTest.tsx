/** Chooses the camera, and tests its picture where people will stand. */
import { useEffect, useRef, useState } from 'react';
import { closeCamera, looksVirtual, openCamera, openRealCamera } from '../../../capture/camera/camera.ts';
import { lumaStatistics, type PictureVerdict, pictureVerdict } from '../../../capture/coaching/quality.ts';
import { Lead } from '../../../ui/Lead.tsx';
import { useKiosk } from '../context.ts';
import { Screen } from '../parts/Screen.tsx';

const LOOK_EVERY_MS = 500;
const SIDE_PX = 32;

type Verdict = PictureVerdict | 'starting' | 'failed';
type Camera = { id: string; label: string };

export function CameraTest({ onDone }: { onDone: () => void }) {
  const { memory, words, poke, desktop } = useKiosk();
  const texts = words.camera;
  const videoRef = useRef<HTMLVideoElement>(null);
  const [cameras, setCameras] = useState<readonly Camera[]>([]);
  const [chosen, setChosen] = useState(memory.cameraId());
  const [verdict, setVerdict] = useState<Verdict>('starting');
  const [size, setSize] = useState({ width: 0, height: 0 });

  useEffect(() => {
    let stream: MediaStream | null = null;
    let isOver = false;
    const over = () => isOver;
    const look = () => {
      const video = videoRef.current;
      if (video === null || video.videoWidth === 0) return;
      setSize({ width: video.videoWidth, height: video.videoHeight });
      setVerdict(verdictOf(video));
    };
    const timer = setInterval(look, LOOK_EVERY_MS);
    const start = async () => {
      const opened = desktop === null ? await openCamera(chosen) : (await openRealCamera(chosen)).stream;
      stream = opened;
      if (over() || videoRef.current === null) {
        closeCamera(opened);
        return;
      }
      for (const track of opened.getVideoTracks())
        track.addEventListener('ended', () => setVerdict('failed'));
      videoRef.current.srcObject = opened;
    };
    start()
      .catch(() => {
        if (!over()) setVerdict('failed');
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
  }, [chosen, desktop]);

  const said =
    verdict === 'good'
      ? texts.good({ width: size.width, height: size.height })
      : verdict === 'failed' && cameras.length === 0
        ? texts.none
        : texts[verdict];
  return (
    <Screen
      title={texts.title}
      icon="camera"
      actions={
        <>
          <div className="people" role="group" aria-label={texts.pick}>
            {cameras.map(({ id, label }, index) => (
              <button
                key={id}
                type="button"
                className="button button--side"
                aria-pressed={id === chosen || (chosen === null && index === 0)}
                onClick={() => {
                  poke();
                  setVerdict('starting');
                  setChosen(id);
                }}
              >
                {label === '' ? texts.unnamed({ number: index + 1 }) : label}
              </button>
            ))}
          </div>
          <div className="row">
            <button
              type="button"
              className="button button--main"
              disabled={verdict === 'failed' || verdict === 'starting'}
              onClick={() => {
                memory.keepCameraId(chosen ?? cameras[0]?.id ?? null);
                onDone();
              }}
            >
              {texts.use}
            </button>
            <button type="button" className="button button--side" onClick={onDone}>
              {words.back}
            </button>
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

function verdictOf(video: HTMLVideoElement): PictureVerdict {
  const context = new OffscreenCanvas(SIDE_PX, SIDE_PX).getContext('2d', { willReadFrequently: true });
  if (context === null) return 'good';
  context.drawImage(video, 0, 0, SIDE_PX, SIDE_PX);
  return pictureVerdict(lumaStatistics(context.getImageData(0, 0, SIDE_PX, SIDE_PX).data));
}
