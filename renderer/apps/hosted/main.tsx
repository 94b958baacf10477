/** Starts the hosted page: parses the link, creates the run, shows it; or the person's own page. */
import type { ReactNode } from 'react';
import '../../ui/tokens.css';
import '../../ui/base.css';
import './page.css';
import './screen.css';
import './parts.css';
import { EMBED_META } from '../../../server/contract/hosted-link.ts';
import { readOffer } from '../../i18n/language.ts';
import { hasCameraInterface } from '../../capture/camera/camera-permission.ts';
import { App } from './App.tsx';
import { isAwaiting, thisDevice } from '../../flow/routing.ts';
import { readEmbed } from './embed.ts';
import { createExit } from './exit.ts';
import { createFlow, type Flow } from '../../flow/flow.ts';
import { createFlowApi } from '../../flow/flow-api.ts';
import { otherPageOf, readPageLink, withoutSecrets } from '../../flow/link.ts';
import { firstLanguage, loadWords } from './messages-context.ts';
import { loadPart } from '../../http/load-part.ts';
import { createLine } from '../../http/line.ts';
import { createRunMemory } from '../../flow/run-memory.ts';
import { startPage } from '../../ui/start-page.tsx';

const offer = readOffer(document);
const language = firstLanguage(offer);
const root = document.getElementById('root');
if (root !== null) {
  const other = otherPageOf(location.pathname);
  if (other)
    startPage({ name: other, root }, () =>
      loadPart(() => import('./pages.ts')).then(({ open }) => open(other, offer, language)),
    );
  else if (factOf(EMBED_META.refused) !== null)
    void Promise.all([loadWords(language), loadPart(() => import('./NotEmbedded.tsx'))]).then(
      ([words, { showNotEmbedded }]) => showNotEmbedded(root, words, location.href),
    );
  else startPage({ name: 'hosted', root }, () => run(root));
}

/** Whether the page was reloaded, or gone back to. */
function isReturn([navigation]: PerformanceEntryList): boolean {
  return (
    navigation instanceof PerformanceNavigationTiming && /^(?:reload|back_forward)$/.test(navigation.type)
  );
}

/** A value that the server wrote into the document; null if there is none of that name. */
function factOf(name: string): string | null {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? null;
}

async function run(root: HTMLElement): Promise<ReactNode> {
  // The messages are loaded while the run is being opened.
  const firstWords = loadWords(language);
  const link = readPageLink(location.href);
  const memory = createRunMemory(link.run, {
    storage: () => localStorage,
    tab: () => sessionStorage,
    returns: isReturn(performance.getEntriesByType('navigation')),
  });
  const embed = readEmbed(location.href, window, factOf(EMBED_META.origin));

  const device = thisDevice();
  const line = createLine(fetch);
  const api = createFlowApi(link, memory, {
    fetch: line.fetch,
    pause: line.pause,
    report: (reason) => flow.reportWaiting(reason),
  });
  const flow: Flow = createFlow(api, {
    device,
    // A device that already holds the run, as after a reload, does not need the code again.
    handoffCode: memory.token() === null ? link.handoffCode : null,
    continuationCode: link.continuationCode,
    noCamera: device === 'mobile' && !hasCameraInterface(),
    handoff: memory.handoff(),
    reload: () => location.reload(),
  });
  line.follow((isUp) => flow.lineIs(isUp));
  line.watch(() => isAwaiting(flow.state()));
  const stopWatching = flow.subscribe(() => {
    const { snapshot, handoff } = flow.state();
    if (snapshot === null && handoff === null) return;
    // A direct link proves its number again until the guest has acted.
    if (link.directToken !== null && snapshot?.step === 'consent') return;
    // One-time values have been used: neither the history nor a shared screen needs them any longer.
    if (link.handoffCode !== null || link.continuationCode !== null || link.directToken !== null) {
      history.replaceState(null, '', withoutSecrets(location.href));
    }
    stopWatching();
  });
  addEventListener('pageshow', ({ persisted }) => {
    // Restored from the back-forward cache: the run may have changed meanwhile.
    if (persisted) void flow.lookAgain();
  });
  document.addEventListener('visibilitychange', () => {
    // The link may have been opened elsewhere.
    if (document.visibilityState === 'visible') void flow.lookAgain();
  });

  const exit = createExit(embed, (url) => location.replace(url));
  if (embed === null) flow.load();
  else {
    document.documentElement.dataset['embed'] = embed.display;
    const embedded = await loadPart(() => import('./embedded.ts'));
    embedded.closeOnEscape(embed, window);
    embedded.reportHeight(embed, root);
    embedded.reportLanguage(embed, document.documentElement);
    void embedded.announce(embed, window).then((key) => {
      if (key !== null) memory.keepResumeKey(key);
      if (!memory.lasts()) embedded.releaseOnLeaving(window, api.release);
      flow.load();
    });
  }
  return (
    <App
      flow={flow}
      api={api}
      memory={memory}
      exit={exit}
      prefill={link.prefill}
      offer={offer}
      firstWords={await firstWords}
    />
  );
}
