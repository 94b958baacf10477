/**
 * The camera's picture in its oval, the ring as progress, one moving guide on the ring, one instruction beside it.
 * Used by the hosted page and the kiosk.
 */
import { useEffect, useEffectEvent, useState } from 'react';
import type { LivenessStep } from '../../server/contract/flow.ts';
import type { HostedMessages } from '../../locales/types/hosted.ts';
import { Oval, type OvalTone } from './Oval.tsx';
import { StepDrawing } from './StepDrawing.tsx';
import { prefersCalm } from '../ui/tones.ts';
import { useCapture, type CaptureHost, type CaptureProgress } from './use-capture.ts';
import './capture.css';
import { Button } from '../ui/Button.tsx';

type CaptureStageProps = Omit<CaptureHost, 'wantsCalm'> & {
  words: HostedMessages['capture'];
  title: string;
  onStop: () => void;
  /** Opens the camera again. */
  onRetry: () => void;
  /** Offers another browser or device. Left out where staff help instead. */
  onElsewhere?: () => void;
  /** What to do without a picture, instead of the usual ways. */
  noPictureText?: string;
  /** Called with another camera to use, if the person may choose. */
  onSwitchCamera?: (cameraId: string) => void;
  /** Called with each instruction as it appears, for speech. */
  onInstruction?: (text: string) => void;
  /** The person has already chosen the calm page. */
  isCalm?: boolean;
};

export function CaptureStage({
  words,
  title,
  onStop,
  onRetry,
  onElsewhere,
  noPictureText,
  onSwitchCamera,
  onInstruction,
  isCalm = false,
  ...host
}: CaptureStageProps) {
  const [asksForCalm, setAsksForCalm] = useState(prefersCalm);
  const calm = isCalm || asksForCalm;
  const { videoRef, progress, isConnected, cameraIds, wait, restart } = useCapture({
    ...host,
    wantsCalm: calm,
  });
  const view = progress.kind === 'coaching' ? progress.view : null;
  const hasNoPicture = wait === 'none' || wait === 'unanswered';
  const nextCameraId = hasNoPicture ? cameraIds.otherId : cameraIds.nextId;
  const isStuck = wait === 'none' && progress.kind !== 'tap';
  const asked = isStuck ? words.noPicture.title : instruction(progress, isConnected, words);
  const isBeginning =
    view === null ? progress.kind !== 'checking' : view.stepsDone === 0 && view.step === null;
  const mayAskForCalm = !calm && isBeginning && progress.kind !== 'tap';
  const tell = useEffectEvent((text: string) => onInstruction?.(text));
  useEffect(() => tell(asked), [asked]);
  // A screen before it may have been scrolled.
  useEffect(() => {
    // Newer browsers return a promise, which React would take for the effect's end.
    scrollTo(0, 0);
  }, []);
  return (
    <section
      className="capture"
      data-capture={progress.kind}
      data-stage={view?.stage}
      data-connection={isConnected ? undefined : 'lost'}
    >
      <h1 className="visually-hidden">{title}</h1>
      <div className="capture__instruction" role="status" data-step={view?.step ?? undefined}>
        <span>{asked}</span>
      </div>
      <div className="capture__place">
        <div className="capture__stage">
          <div className="capture__picture">
            <video
              ref={videoRef}
              className="capture__video"
              autoPlay
              muted
              playsInline
              aria-label={words.previewLabel}
            />
            <Oval
              fraction={progress.kind === 'checking' ? 1 : (view?.fraction ?? 0)}
              tone={toneOf(progress, isConnected)}
            />
            {(progress.kind === 'asking' || progress.kind === 'preparing') && (
              <span className="capture__spinner" aria-hidden="true" />
            )}
          </div>
          {view?.step && (view.hint === null || view.isAgain) && isConnected && (
            <div className={`guide guide--${GUIDE_PLACES[view.step]}`}>
              <StepDrawing step={view.step} />
            </div>
          )}
        </div>
      </div>
      <div className="capture__help">
        <p>
          {isStuck
            ? (noPictureText ?? words.noPicture.text)
            : help(progress, isConnected, wait !== 'short', words)}
        </p>
        {progress.kind === 'preparing' && progress.loaded !== null && (
          <progress
            className="capture__loaded"
            max={100}
            value={Math.round(progress.loaded * 100)}
            aria-label={words.loadedLabel}
          />
        )}
        {mayAskForCalm && (
          <Button look="quiet" onClick={() => setAsksForCalm(true)}>
            {words.slowLight}
          </Button>
        )}
        {progress.kind === 'tap' && (
          <Button look="main" onClick={progress.start}>
            {words.startCamera}
          </Button>
        )}
        {hasNoPicture && (
          <>
            <Button look="main" onClick={onRetry}>
              {words.tryAgain}
            </Button>
            {onElsewhere && (
              <Button look="side" onClick={onElsewhere}>
                {words.otherDevice}
              </Button>
            )}
          </>
        )}
        {(hasNoPicture || (view !== null && (isBeginning || view.hint === 'turned'))) &&
          nextCameraId !== null &&
          onSwitchCamera && (
            <Button look="quiet" onClick={() => onSwitchCamera(nextCameraId)}>
              {words.switchCamera}
            </Button>
          )}
        {view?.stuck && (
          <Button look="side" onClick={restart}>
            {words.startAgain}
          </Button>
        )}
      </div>
      <button
        type="button"
        className="button button--quiet capture__stop"
        disabled={progress.kind === 'checking'}
        onClick={onStop}
      >
        {words.stop}
      </button>
    </section>
  );
}

/** Position of the guide on the ring: where the head is to turn, else below the chin. Mirrored. */
const GUIDE_PLACES: Record<LivenessStep, 'left' | 'right' | 'top' | 'bottom'> = {
  turn_left: 'left',
  turn_right: 'right',
  look_up: 'top',
  look_up_smile: 'top',
  blink: 'bottom',
  smile: 'bottom',
  open_mouth: 'bottom',
  move_closer: 'bottom',
};

type Words = HostedMessages['capture'];

function instruction(progress: CaptureProgress, isConnected: boolean, words: Words): string {
  if (!isConnected) return words.reconnecting.title;
  if (progress.kind !== 'coaching') return words[progress.kind].title;
  const { view } = progress;
  if (view.hint !== null) return words.hints[view.hint];
  if (view.step !== null) return words.steps[view.step];
  return view.stage === 'tint' || view.stage === 'learn' ? words.holdStill : words.lookStraight;
}

function help(progress: CaptureProgress, isConnected: boolean, isSlow: boolean, words: Words): string {
  if (!isConnected) return words.reconnecting.text;
  if (isSlow && progress.kind === 'asking') return words.slow.asking;
  if (progress.kind === 'preparing') return isSlow ? words.slow.preparing : words.preparingCheck;
  if (progress.kind !== 'coaching') return words[progress.kind].text;
  const { view, restarted } = progress;
  if (view.hint === 'turned') return words.pictureTurned;
  if (view.isMirrored) return words.pictureMirrored;
  if ((view.stuck || view.isAgain) && view.step !== null) return otherWords(view.step, words.stuck);
  if (restarted !== null) return words[restarted];
  if (view.stage === 'server') return words.serverCoached;
  if (view.stage === 'tint') return words.lit;
  if (view.step === null && view.stepsDone === 0) return '';
  // A doubt adds steps: the total then grows.
  return words.progress({
    number: Math.min(view.stepsTotal, view.stepsDone + 1),
    total: view.stepsTotal,
  });
}

/** Of two movements at once, a sentence for each. */
const otherWords = (step: LivenessStep, words: Words['stuck']): string =>
  step === 'look_up_smile' ? `${words.look_up} ${words.smile}` : words[step];

function toneOf(progress: CaptureProgress, isConnected: boolean): OvalTone {
  if (!isConnected) return 'look';
  if (progress.kind === 'checking') return 'good';
  if (progress.kind !== 'coaching') return 'idle';
  return progress.view.hint === null ? 'good' : 'look';
}
