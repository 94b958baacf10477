/** The camera of the phone, until a code has an outcome. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { openRearCamera } from '../../../capture/camera/camera.ts';
import { scan } from '../../../capture/scan/scanner.ts';
import { useScanWords } from './scan-words.ts';

type CameraProps = {
  /** Whether the code may be read now; the others are passed over. */
  isNew: (text: string) => boolean;
  /** @returns whether it has an outcome */
  onCode: (text: string) => Promise<boolean>;
};

export function Camera({ isNew, onCode }: CameraProps) {
  const { duty } = useScanWords().scan;
  const video = useRef<HTMLVideoElement>(null);
  const [start, setStart] = useState(0);
  const [isAway, setAway] = useState(false);
  const [isKnown, setKnown] = useState(false);
  const reads = useEffectEvent((text: string) => isNew(text));
  const tries = useEffectEvent(async (text: string) => !(await onCode(text)));
  useEffect(() => {
    const stopper = new AbortController();
    const hooks = {
      open: openRearCamera,
      isLink: (text: string) => reads(text),
      tryCode: (text: string) => tries(text),
      onWrong: (kind: 'notOurs' | 'barcode') => setKnown(kind === 'notOurs'),
      onSight: () => setAway(false),
    };
    if (video.current !== null)
      scan(video.current, hooks, stopper.signal).catch(() => {
        if (!stopper.signal.aborted) setAway(true);
      });
    return () => stopper.abort();
  }, [start]);
  return (
    <>
      <video
        ref={video}
        className="scan__video"
        autoPlay
        muted
        playsInline
        aria-label={duty.camera}
        hidden={isAway}
      />
      <div role="status">
        {isAway && <p className="scan__note">{duty.noCamera}</p>}
        {isKnown && !isAway && <p className="scan__note">{duty.justRead}</p>}
      </div>
      {isAway && (
        <button type="button" className="button button--side" onClick={() => setStart(start + 1)}>
          {duty.again}
        </button>
      )}
    </>
  );
}
