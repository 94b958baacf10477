/** The camera of the phone, until a code has an outcome. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { browserFamily } from '../../../capture/camera/browser.ts';
import { openRearCamera } from '../../../capture/camera/camera.ts';
import { loadAndScan, scanTroubleOf } from '../../../capture/scan/load.ts';
import type { ScanSight } from '../../../capture/scan/scanner.ts';
import { useScanWords } from './scan-words.ts';
import { Button } from '../../../ui/Button.tsx';

type CameraProps = {
  /** Whether the code may be read now; the others are passed over. */
  isNew: (text: string) => boolean;
  /** @returns whether it has an outcome; otherwise it is asked about again */
  onCode: (text: string) => Promise<boolean>;
};

export function Camera({ isNew, onCode }: CameraProps) {
  const { scan, messages } = useScanWords();
  const { duty } = scan;
  const video = useRef<HTMLVideoElement>(null);
  const [start, setStart] = useState(0);
  const [trouble, setTrouble] = useState<ReturnType<typeof scanTroubleOf> | null>(null);
  const [sight, setSight] = useState<ScanSight>('seen');
  const [isKnown, setKnown] = useState(false);
  const reads = useEffectEvent((text: string) => isNew(text));
  const tries = useEffectEvent(async (text: string) => ((await onCode(text)) ? false : null));
  useEffect(() => {
    const stopper = new AbortController();
    const hooks = {
      open: openRearCamera,
      isLink: (text: string) => reads(text),
      tryCode: (text: string) => tries(text),
      onWrong: () => setKnown(true),
      onSight: (next: ScanSight) => {
        setSight(next);
        setTrouble(null);
      },
    };
    if (video.current !== null)
      loadAndScan(video.current, hooks, stopper.signal).catch((error: unknown) => {
        if (!stopper.signal.aborted) setTrouble(scanTroubleOf(error));
      });
    return () => stopper.abort();
  }, [start]);
  const sights = { ...duty, covered: messages.capture.hints.covered, seen: null };
  const sighted = sights[sight];
  return (
    <>
      <video
        ref={video}
        className="scan__video"
        autoPlay
        muted
        playsInline
        aria-label={duty.camera}
        hidden={trouble !== null}
      />
      <div role="status" data-trouble={trouble ?? undefined}>
        {trouble !== null && <Trouble trouble={trouble} />}
        {trouble === null && sighted !== null && <p className="scan__note">{sighted}</p>}
        {trouble === null && isKnown && <p className="scan__note">{duty.justRead}</p>}
      </div>
      {trouble !== null && (
        <Button look="side" onClick={() => setStart(start + 1)}>
          {duty.again}
        </Button>
      )}
    </>
  );
}

/** Why the camera reads nothing, and what to do about it on this phone. */
function Trouble({ trouble }: { trouble: ReturnType<typeof scanTroubleOf> }) {
  const { scan, messages } = useScanWords();
  const words = messages.capture;
  const { title, text } =
    trouble === 'silent' || trouble === 'not_loaded'
      ? scan.duty[trouble]
      : trouble === 'portal'
        ? messages.waiting.portal
        : words.trouble[trouble];
  return (
    <div className="scan__note">
      <p>
        {title}. {text}
      </p>
      {trouble === 'denied' && <p>{words.allowCamera[browserFamily(navigator.userAgent)]}</p>}
      <p>{scan.duty.typeInstead}</p>
    </div>
  );
}
