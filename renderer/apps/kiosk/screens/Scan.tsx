/** Reads a QR code with the camera. Pictures stay in this function and are discarded with it. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { cameraTroubleOf, closeCamera } from '../../../capture/camera/camera.ts';
import type { KioskTrouble } from '../../../i18n/messages.ts';
import { useKiosk } from '../context.ts';
import { cameraScreen } from '../kiosk-state.ts';
import { Screen } from '../parts/Screen.tsx';

/** A code on a phone fills a fifth of the picture; a finer resolution only costs time. */
const LONGER_SIDE_PX = 800;
const LOOK_APART_MS = 120;
const TRY_AGAIN_MS = 2_500;

export function Scan() {
  const { kiosk, memory, cameras, words } = useKiosk();
  const videoRef = useRef<HTMLVideoElement>(null);
  const [trouble, setTrouble] = useState<KioskTrouble | null>(null);
  const found = useEffectEvent((text: string) => kiosk.scanned(text));

  useEffect(() => {
    const stopper = new AbortController();
    const { signal } = stopper;
    const read = async () => {
      while (!signal.aborted) {
        try {
          const open = async () => (await cameras.take(memory.cameraId())).stream;
          const text = await readCode(videoRef, open, signal, () => setTrouble(null));
          if (text !== null) found(text);
          return;
        } catch (error) {
          setTrouble(cameraScreen(cameraTroubleOf(error)));
          await pause(TRY_AGAIN_MS);
        }
      }
    };
    void read();
    return () => stopper.abort();
  }, [memory, cameras]);

  return (
    <Screen
      title={words.scan.title}
      icon={trouble === null ? 'code' : 'camera'}
      tone={trouble === null ? 'plain' : 'look'}
      actions={
        <button type="button" className="button button--side" onClick={kiosk.reset}>
          {words.back}
        </button>
      }
    >
      <p className="lead" data-say data-trouble={trouble ?? undefined}>
        {trouble === null ? words.scan.text : words.trouble[trouble].text}
      </p>
      <video
        ref={videoRef}
        className="scan__video"
        autoPlay
        muted
        playsInline
        aria-label={words.scan.label}
      />
    </Screen>
  );
}

/** The decoder throws if it finds no code. */
function textOf(decode: () => string): string {
  try {
    return decode();
  } catch {
    return '';
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * @returns the first code's text, or null when `signal` aborted
 * @throws as `open`, or if the camera is lost
 */
async function readCode(
  videoRef: { current: HTMLVideoElement | null },
  open: () => Promise<MediaStream>,
  signal: AbortSignal,
  onPicture: () => void,
): Promise<string | null> {
  const stream = await open();
  const [track] = stream.getVideoTracks();
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  try {
    const { decodeQR } = await import('qr/decode.js');
    const video = videoRef.current;
    if (signal.aborted || video === null || context === null || track === undefined) return null;
    video.srcObject = stream;
    await video.play();
    onPicture();
    while (!signal.aborted) {
      if (track.readyState === 'ended') throw new DOMException('the camera went away', 'NotFoundError');
      const scale = LONGER_SIDE_PX / Math.max(LONGER_SIDE_PX, video.videoWidth, video.videoHeight);
      canvas.width = Math.round(video.videoWidth * scale);
      canvas.height = Math.round(video.videoHeight * scale);
      if (canvas.width > 0 && canvas.height > 0) {
        context.drawImage(video, 0, 0, canvas.width, canvas.height);
        const text = textOf(() => decodeQR(context.getImageData(0, 0, canvas.width, canvas.height)));
        if (text !== '') return text;
      }
      await pause(LOOK_APART_MS);
    }
    return null;
  } finally {
    closeCamera(stream);
    if (videoRef.current !== null) videoRef.current.srcObject = null;
    canvas.width = canvas.height = 0;
  }
}
