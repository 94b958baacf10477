/** Starts the hosted page: reads the link, makes the run, shows it. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../ui/tokens.css';
import '../ui/fonts.css';
import '../ui/base.css';
import './page.css';
import './screen.css';
import './parts.css';
import { App } from './App.tsx';
import { deviceOf } from './device.ts';
import { createFlow, type Flow } from './flow.ts';
import { createFlowApi } from './flow-api.ts';
import { readHostedLink, withoutFragment } from './link.ts';
import { browserPause } from './retrying.ts';
import { createTokenStore } from './token-store.ts';

const link = readHostedLink(location.href);
const sessionId = link.sessionId ?? '';
const tokens = createTokenStore(sessionId, () => localStorage);
if (link.flowToken !== null) {
  tokens.write(link.flowToken);
  history.replaceState(null, '', withoutFragment(location.href));
}

const device = deviceOf({
  userAgent: navigator.userAgent,
  coarsePointer: matchMedia('(pointer: coarse)').matches,
  touchPoints: navigator.maxTouchPoints,
});
const api = createFlowApi(sessionId, tokens, {
  fetch: (input, init) => fetch(input, init),
  pause: browserPause,
  report: (reason) => flow.reportWaiting(reason),
});
const flow: Flow = createFlow(api, device);
flow.load();

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App flow={flow} api={api} tokens={tokens} />
    </StrictMode>,
  );
}
