/** The capture, and what pairing, staff or another tab show: loaded right after the first screen, before somebody needs them. */
import { lazy } from 'react';
import { loadPart } from '../../http/load-part.ts';
import type { Kiosk } from './kiosk.ts';

let part: ReturnType<typeof load> | null = null;

const load = () => loadPart(() => import('./screens/Capture.tsx'));

const loadOnce = () => (part ??= load());

/** A file of its own, so that a guest can read it while the capture is still loading. */
const loadConsent = () => loadPart(() => import('./screens/EventConsent.tsx'));

export const EventConsent = lazy(async () => ({ default: (await loadConsent()).EventConsent }));

export const Capture = lazy(async () => ({ default: (await loadOnce()).Capture }));
export const OtherTab = lazy(async () => ({ default: (await loadOnce()).OtherTab }));
export const Pairing = lazy(async () => ({ default: (await loadOnce()).Pairing }));
export const Phone = lazy(async () => ({ default: (await loadOnce()).Phone }));
export const Retry = lazy(async () => ({ default: (await loadOnce()).Retry }));
export const TestFaces = lazy(async () => ({ default: (await loadOnce()).TestFaces }));
export const Admission = lazy(async () => ({ default: (await loadOnce()).Admission }));
export const Party = lazy(async () => ({ default: (await loadOnce()).Party }));
export const ShowTicket = lazy(async () => ({ default: (await loadOnce()).ShowTicket }));
export const Ticket = lazy(async () => ({ default: (await loadOnce()).Ticket }));
export const Scan = lazy(async () => ({ default: (await loadOnce()).Scan }));
export const Staff = lazy(async () => ({ default: (await loadOnce()).Staff }));

export const deviceSigner = async () => (await loadOnce()).deviceSigner();
export const printBadges = async (send: typeof fetch, token: () => string | null) =>
  (await loadOnce()).printBadges(send, token);
export const newDeviceKey = async () => (await loadOnce()).newDeviceKey();

/**
 * Loads the capture in the background. If the server has another version of the page by now, the page reloads as soon
 * as nobody uses it.
 */
export function loadCapture(
  kiosk: Pick<Kiosk, 'state' | 'subscribe'>,
  reload = () => location.reload(),
): void {
  // Its failure shows where it is needed.
  loadConsent()
    .then((consent) => consent.loadWords())
    .catch(() => undefined);
  loadOnce().catch(() => {
    const reloadAtRest = () => {
      const { pairing, stage } = kiosk.state();
      if (pairing.isPaired && stage.kind === 'attract') reload();
    };
    kiosk.subscribe(reloadAtRest);
    reloadAtRest();
  });
}
