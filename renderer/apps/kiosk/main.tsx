/** Starts the kiosk's page. */
import type { ReactNode } from 'react';
import '../../ui/tokens.css';
import '../../ui/base.css';
import './styles/kiosk.css';
import './styles/screen.css';
import './styles/result.css';
import './styles/attract.css';
import './styles/controls.css';
// With the page, because a style sheet that fails to load is not requested again.
import '../../capture/capture.css';
import './styles/capture-place.css';
import { createLine } from '../../http/line.ts';
import { languageFor } from '../../../server/contract/languages.ts';
import { readOffer } from '../../i18n/language.ts';
import { startPage } from '../../ui/start-page.tsx';
import { App } from './App.tsx';
import { deviceSigner, loadCapture, newDeviceKey, printBadges } from './capture-part.ts';
import { watchCamera } from './device/camera-state.ts';
import { connect } from './connection.ts';
import { kioskDesktop } from './device/desktop.ts';
import { createDeviceMemory } from './device/device-memory.ts';
import { claimTab } from './device/single-tab.ts';
import { holdGestures } from './device/gestures.ts';
import { createKiosk } from './kiosk.ts';
import { createKioskApi } from './kiosk-api.ts';
import { createCameraKeeper } from '../../capture/camera/camera-keeper.ts';
import { openRealCamera } from '../../capture/camera/camera.ts';
import { createLandmarkers } from '../../capture/landmarks/landmarkers.ts';
import { loadLanguages } from './messages.ts';
import { createSpeaker } from './device/speech.ts';
import { startVisit } from './visit.ts';

const root = document.getElementById('root');
if (root !== null) startPage({ name: 'kiosk', root }, startKiosk);

async function startKiosk(): Promise<ReactNode> {
  // The browser’s list of requested addresses contains each run’s ID; a call that ends after its guest left would add one.
  performance.setResourceTimingBufferSize(0);
  const line = createLine(fetch);
  const memory = createDeviceMemory(() => localStorage);
  const api = createKioskApi(line.fetch, memory.token);
  const landmarkers = createLandmarkers();
  const kiosk = createKiosk({
    newKey: newDeviceKey,
    api,
    memory,
    connect: (hooks) =>
      connect(api, line, {
        ...hooks,
        onOrders(orders) {
          hooks.onOrders(orders);
          if (orders.badges > 0) void printBadges(line.fetch, memory.token);
        },
      }),
    startVisit: (opened) =>
      startVisit(opened, { line, signer: deviceSigner, reload: () => location.reload() }),
    wipe: landmarkers.renew,
    usualLanguage: (offer) => languageFor(offer, navigator.languages),
    firstOffer: readOffer(document),
  });
  line.watch(() => kiosk.state().tab === 'this' && kiosk.state().pairing.isPaired);
  holdGestures(document);
  watchCamera(kiosk.cameraIs, kioskDesktop() !== null);
  const speaker = createSpeaker('speechSynthesis' in window ? speechSynthesis : undefined);
  const desktop = kioskDesktop();
  const cameras = createCameraKeeper({
    ...(desktop !== null && { open: openRealCamera }),
    onPicture: kiosk.cameraSends,
  });
  const languages = loadLanguages(kiosk.state().language);
  const takeTab = claimTab(navigator.locks, {
    onHeld: () => kiosk.start(takePairingCode()),
    onElsewhere: kiosk.stop,
    onClose: (leave) => addEventListener('pagehide', leave),
  });
  // A pairing address that is opened while the kiosk is: the browser keeps the page and changes the fragment.
  addEventListener('hashchange', () => {
    const code = kiosk.state().tab === 'this' ? takePairingCode() : null;
    if (code !== null) kiosk.pairAgain(code);
  });
  const base = { kiosk, api, memory, landmarkers, cameras, speaker, desktop, takeTab };
  // The model is loaded before the first guest.
  landmarkers.get();
  const app = <App {...base} languages={await languages} />;
  loadCapture(kiosk);
  return app;
}

/** The code of a pairing address, removed from the address so that neither history nor a reload keeps it. */
function takePairingCode(): string | null {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code !== null) history.replaceState(null, '', location.pathname);
  return code;
}
