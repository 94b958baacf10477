/** Starts the kiosk's page. */
import type { ReactNode } from 'react';
import '../../ui/tokens.css';
import '../../ui/fonts.css';
import '../../ui/base.css';
import './kiosk.css';
import './screen.css';
import './controls.css';
import './capture-place.css';
import { browserPause } from '../../flow/retrying.ts';
import { languageFor } from '../../../server/contract/languages.ts';
import type { Compiled } from '../../../locales/compile.ts';
import { createCatalogueLoader } from '../../i18n/catalogues.ts';
import { type Language, LANGUAGES } from '../../i18n/language.ts';
import { readOffer } from '../../i18n/offer.ts';
import { startPage } from '../../ui/start-page.tsx';
import { App } from './App.tsx';
import type { KioskServices } from './context.ts';
import { watchCamera } from './camera-state.ts';
import { connect } from './connection.ts';
import { kioskDesktop } from './desktop.ts';
import { createDeviceMemory } from './device-memory.ts';
import { holdGestures } from './gestures.ts';
import { createKiosk } from './kiosk.ts';
import { createKioskApi } from './kiosk-api.ts';
import { createLandmarkers } from '../../capture/landmarkers.ts';
import { createSpeaker } from './speech.ts';
import { startVisit } from './visit.ts';

const root = document.getElementById('root');
if (root !== null) startPage({ name: 'kiosk', root }, startKiosk);

const catalogues = createCatalogueLoader(
  import.meta.glob<Compiled>('../../../locales/{en,es,fr,de}/{hosted,kiosk}.json', { import: 'default' }),
);

async function startKiosk(): Promise<ReactNode> {
  const send: typeof fetch = (input, init) => fetch(input, init);
  const memory = createDeviceMemory(() => localStorage);
  const api = createKioskApi(send, memory.token);
  const landmarkers = createLandmarkers();
  const kiosk = createKiosk({
    api,
    memory,
    connect: (hooks) => connect(api, hooks),
    startVisit: (opened) => startVisit(opened, { fetch: send, pause: browserPause }),
    wipe() {
      landmarkers.renew();
      // The browser keeps a list of what was asked for, and in it the run's id.
      performance.clearResourceTimings();
    },
    usualLanguage: (offer) => languageFor(offer, navigator.languages),
    firstOffer: readOffer(document),
  });
  holdGestures(document);
  watchCamera(memory.cameraId, kiosk.cameraIs);
  const speaker = createSpeaker('speechSynthesis' in window ? speechSynthesis : undefined);
  const base = { kiosk, api, memory, landmarkers, speaker, desktop: kioskDesktop() };
  const allLanguages = loadLanguages();
  kiosk.start();
  // The model is loaded before the first person comes.
  landmarkers.get();
  return <App {...base} messagesIn={await allLanguages} />;
}

/** All of them before the first screen, since a kiosk may lose its network and people choose in between. */
async function loadLanguages(): Promise<KioskServices['messagesIn']> {
  const loaded = await Promise.all(
    LANGUAGES.map(async (language) => {
      const [kiosk, hosted] = await Promise.all([
        catalogues.load('kiosk', language),
        catalogues.load('hosted', language),
      ]);
      return [language, { kiosk, hosted }] as const;
    }),
  );
  const byLanguage = Object.fromEntries(loaded) as Record<Language, (typeof loaded)[0][1]>;
  return (language) => byLanguage[language];
}
