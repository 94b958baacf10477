/** The camera, with a large hint next to the picture if it does not see one face well. */
import { useRef, useState } from 'react';
import { CaptureStage } from '../../../capture/CaptureStage.tsx';
import type { CaptureView } from '../../../capture/exchange/capture.ts';
import type { HintTrouble } from '../../../i18n/messages.ts';
import type { CoachHint } from '../../../i18n/messages.ts';
import { LineIcon, PATHS } from '../../../ui/Icon.tsx';
import { useKiosk } from '../context.ts';
import type { Visit } from '../visit.ts';

export { printBadges } from '../badges.ts';
export { deviceSigner, newDeviceKey } from '../device/device-key.ts';
export { OtherTab } from './OtherTab.tsx';
export { Pairing } from './Pairing.tsx';
export { Phone } from './Phone.tsx';
export { Retry } from './Retry.tsx';
export { TestFaces } from './TestFaces.tsx';
export { Party } from './Party.tsx';
export { Scan, ShowTicket } from './Scan.tsx';
export { Admission, Ticket } from './Ticket.tsx';
export { Staff } from '../staff/Staff.tsx';

/** Only here, so that no other page carries them. */
const SUN =
  'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4';
const DISTANCE = 'M3 12h18M7 8l-4 4 4 4M17 8l4 4-4 4';

const DRAWINGS: Record<HintTrouble, string> = {
  no_face: PATHS.hand,
  several_faces: PATHS.people,
  face_covered: PATHS.people,
  covered: PATHS.camera,
  too_dark: SUN,
  too_bright: SUN,
  backlit: SUN,
  too_far: DISTANCE,
  too_close: DISTANCE,
  turned: PATHS.camera,
};

/** A shorter hint needs no large text. */
const LASTS_AFTER_MS = 1_500;

/** Hints for a picture without a face. */
const NOBODY: readonly CoachHint[] = ['no_face', 'covered', 'too_dark'];

/** What the door learns from a hint. */
const SEEN: Readonly<Record<string, 'covered' | 'dark' | 'turned'>> = {
  covered: 'covered',
  too_dark: 'dark',
  turned: 'turned',
};

const isTrouble = (hint: CoachHint | null): hint is HintTrouble => hint !== null && hint in DRAWINGS;

export function Capture({ visit }: { visit: Visit }) {
  const { kiosk, memory, cameras, landmarkers, messages, words, say, poke } = useKiosk();
  const [lasting, setLasting] = useState<HintTrouble | null>(null);
  const since = useRef<{ hint: HintTrouble | null; atMs: number }>({ hint: null, atMs: 0 });

  const [cameraId, setCameraId] = useState(memory.cameraId);
  const [tries, setTries] = useState(0);

  const look = ({ hint, isMirrored }: CaptureView) => {
    if (hint === null || !NOBODY.includes(hint)) poke();
    kiosk.cameraSees(SEEN[hint ?? ''] ?? (isMirrored ? 'mirrored' : 'ready'));
    const trouble = isTrouble(hint) ? hint : null;
    const nowMs = performance.now();
    if (trouble !== since.current.hint) since.current = { hint: trouble, atMs: nowMs };
    const shown = trouble !== null && nowMs - since.current.atMs >= LASTS_AFTER_MS ? trouble : null;
    if (shown === lasting) return;
    // One hint replaces the next immediately; the text disappears when all is well.
    if (shown !== null || trouble === null) setLasting(shown);
    if (shown !== null) say(`${words.hints[shown].title}. ${words.hints[shown].text}`);
  };

  return (
    <div className="capture-place" data-hint={lasting ?? undefined}>
      {lasting !== null && (
        <div className="hint-panel" role="alert">
          <LineIcon path={DRAWINGS[lasting]} size={72} stroke={1.8} />
          <p className="hint-panel__title">{words.hints[lasting].title}</p>
          <p className="lead">{words.hints[lasting].text}</p>
        </div>
      )}
      <CaptureStage
        words={messages.capture}
        title={messages.consent.title}
        key={`${cameraId} ${tries}`}
        cameraId={cameraId}
        onSwitchCamera={setCameraId}
        onRetry={() => setTries(tries + 1)}
        noPictureText={words.trouble.camera_silent.text}
        onNoPicture={() => kiosk.cameraSends(false)}
        isCalm={kiosk.state().isCalm}
        getLandmarker={landmarkers.get}
        endpoint={visit.api.capture}
        takeCamera={cameras.take}
        onView={look}
        onInstruction={say}
        onVerdict={visit.flow.captured}
        onRefused={visit.flow.captureRefused}
        onTrouble={(trouble) => kiosk.cameraFailed(visit, trouble)}
        onHidden={kiosk.reset}
        onTakenOver={kiosk.reset}
        onStop={() => kiosk.askStaff(true)}
      />
    </div>
  );
}
