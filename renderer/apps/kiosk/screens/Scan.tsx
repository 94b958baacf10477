/** Reads a code with the camera, past those that belong to something else. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { loadAndScan, scanTroubleOf } from '../../../capture/scan/load.ts';
import type { ScanSight } from '../../../capture/scan/scanner.ts';
import type { KioskTrouble } from '../../../i18n/messages.ts';
import { useKiosk } from '../context.ts';
import { cameraScreen } from '../kiosk-state.ts';
import { Screen } from '../parts/Screen.tsx';
import { useTicketWords } from '../ticket-words.ts';
import { Button } from '../../../ui/Button.tsx';

const TRY_AGAIN_MS = 2_500;
/** How long a remark about a wrong code stays after the code has left the picture. */
const REMARK_MS = 4_000;

const troubleOf = (error: unknown): KioskTrouble => {
  const trouble = scanTroubleOf(error);
  return trouble === 'silent' ? 'camera_silent' : cameraScreen(trouble);
};

const isLink = (text: string): boolean => /^https?:\/\//i.test(text.trim());
const isAny = (): boolean => true;

/** After the check, if nobody knows the guest's ticket yet. */
export function ShowTicket() {
  const { show } = useTicketWords(useKiosk().language);
  return <Scan title={show.title} text={show.text} />;
}

export function Scan({ title, text: instruction }: { title?: string; text?: string }) {
  const { kiosk, memory, cameras, words, say, config } = useKiosk();
  const hasTickets = config?.event?.takes_tickets === true;
  const videoRef = useRef<HTMLVideoElement>(null);
  const [trouble, setTrouble] = useState<KioskTrouble | null>(null);
  const [sight, setSight] = useState<ScanSight>('seen');
  const [isRemarked, setRemarked] = useState(false);
  const remarkTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const tryCode = useEffectEvent((text: string) => kiosk.scanned(text));
  const wrong = useEffectEvent(() => {
    // Said once; a code that stays in view only keeps the words on the screen.
    if (!isRemarked) say(words.scan.notOurs);
    setRemarked(true);
    clearTimeout(remarkTimer.current);
    remarkTimer.current = setTimeout(() => setRemarked(false), REMARK_MS);
  });
  const seen = useEffectEvent((next: ScanSight) => {
    setSight(next);
    if (next === 'slow') return;
    setTrouble(null);
    kiosk.cameraSees(next === 'covered' ? 'covered' : 'ready');
  });

  useEffect(() => {
    const stopper = new AbortController();
    const { signal } = stopper;
    const hooks = {
      open: async () => (await cameras.take(memory.cameraId())).stream,
      isLink: hasTickets ? isAny : isLink,
      tryCode: (text: string) => tryCode(text),
      onWrong: () => wrong(),
      onSight: (next: ScanSight) => seen(next),
    };
    const read = async () => {
      while (!signal.aborted) {
        try {
          if (videoRef.current !== null) await loadAndScan(videoRef.current, hooks, signal);
          return;
        } catch (error) {
          const found = troubleOf(error);
          setTrouble(found);
          if (found === 'camera_silent') kiosk.cameraSends(false);
          await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
        }
      }
    };
    void read();
    return () => {
      stopper.abort();
      clearTimeout(remarkTimer.current);
    };
  }, [kiosk, memory, cameras, hasTickets]);

  const text =
    trouble !== null
      ? words.trouble[trouble].text
      : sight === 'covered'
        ? `${words.hints.covered.title} ${words.hints.covered.text}`
        : sight === 'slow' || sight === 'qrOnly'
          ? words.scan[sight]
          : (instruction ?? words.scan.text);
  const isWell = trouble === null && sight !== 'covered';
  return (
    <Screen
      title={title ?? words.scan.title}
      icon={isWell ? 'code' : 'camera'}
      tone={isWell ? 'plain' : 'look'}
      actions={
        <Button look="side" onClick={kiosk.reset}>
          {words.back}
        </Button>
      }
    >
      <p
        className="lead"
        role="status"
        data-say
        data-trouble={trouble ?? undefined}
        data-sight={sight}
        data-remark={isRemarked ? 'notOurs' : undefined}
      >
        {isRemarked ? words.scan.notOurs : text}
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
