/** The camera's screen in the hosted flow; loaded separately while the consent is read. */
import { useEffect, useState } from 'react';
import { createCameraKeeper } from '../../../capture/camera/camera-keeper.ts';
import { CaptureStage } from '../../../capture/CaptureStage.tsx';
import { createLandmarkers } from '../../../capture/landmarks/landmarkers.ts';
import { looksInApp } from '../../../capture/camera/browser.ts';
import { cameraPermission } from '../../../capture/camera/camera-permission.ts';
import type { CameraTrouble } from '../../../i18n/messages.ts';
import type { Flow, FlowState } from '../../../flow/flow.ts';
import type { FlowApi } from '../../../flow/flow-api.ts';
import { useWords } from '../messages-context.ts';
import { Leave } from './Leave.tsx';
import { CameraHelp, Paused } from './CameraHelp.tsx';

const landmarkers = createLandmarkers();
const cameras = createCameraKeeper();

/** Loads WebAssembly and model ahead of the camera. */
export const warmUp = (): void => void landmarkers.get();

/** Turns the camera on with the tap that gives consent, while the server records it. */
export function startCamera(): void {
  cameras.warm(null);
  setTimeout(cameras.cool, UNUSED_CAMERA_MS);
}

/** A camera that no capture has taken by then, for example if the consent was refused, is turned off. */
const UNUSED_CAMERA_MS = 5_000;

type View =
  | { kind: 'camera' }
  | { kind: 'trouble'; trouble: CameraTrouble }
  | { kind: 'paused' | 'takenOver' }
  | { kind: 'leaving' };

/** Apps without camera access offer none, or refuse it without asking the guest. */
const needsOtherBrowser = (trouble: CameraTrouble): boolean =>
  trouble === 'unsupported' || (trouble === 'denied' && looksInApp(navigator.userAgent));

type CaptureProps = { flow: Flow; state: FlowState; api: FlowApi };

export function Capture({ flow, state, api }: CaptureProps) {
  const { messages } = useWords();
  const [view, setView] = useState<View>({ kind: 'camera' });
  const [cameraId, setCameraId] = useState<string | null>(null);
  const [tries, setTries] = useState(0);
  const showCamera = () => setView({ kind: 'camera' });

  useEffect(() => {
    // The retry distinguishes the browser's own prompt from a block that was removed in its settings.
    if (view.kind !== 'trouble' || view.trouble !== 'denied') return;
    const stop = new AbortController();
    void cameraPermission().then((permission) =>
      permission?.addEventListener(
        'change',
        () => {
          if (permission.state === 'granted') showCamera();
        },
        { signal: stop.signal },
      ),
    );
    return () => stop.abort();
  }, [view]);

  switch (view.kind) {
    case 'camera':
      return (
        <CaptureStage
          key={`${cameraId} ${tries}`}
          cameraId={cameraId}
          onSwitchCamera={setCameraId}
          words={messages.capture}
          title={messages.consent.title}
          getLandmarker={landmarkers.get}
          endpoint={api.capture}
          takeCamera={cameras.take}
          onVerdict={flow.captured}
          onRefused={(code) => {
            if (code === 'page_outdated') location.reload();
            else flow.captureRefused(code);
          }}
          onTakenOver={() => setView({ kind: 'takenOver' })}
          onTrouble={(trouble) => {
            if (needsOtherBrowser(trouble)) flow.setNoCamera(true);
            else setView({ kind: 'trouble', trouble });
          }}
          onHidden={() => setView({ kind: 'paused' })}
          onRetry={() => setTries(tries + 1)}
          onElsewhere={() => flow.setNoCamera(true)}
          onStop={() => setView({ kind: 'leaving' })}
        />
      );
    case 'trouble':
      return (
        <CameraHelp
          trouble={view.trouble}
          onRetry={showCamera}
          onLeave={() => setView({ kind: 'leaving' })}
          flow={flow}
          state={state}
        />
      );
    case 'paused':
    case 'takenOver':
      return <Paused reason={view.kind} onResume={showCamera} />;
    case 'leaving':
      return <Leave flow={flow} state={state} onBack={showCamera} />;
  }
}
