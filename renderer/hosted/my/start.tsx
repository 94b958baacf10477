/** Starts "my verifications". A chunk of its own. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { LanguageOffer } from '../../../server/contract/languages.ts';
import { browserPause } from '../retrying.ts';
import { MyApp } from './MyApp.tsx';
import { createMyApi } from './my-api.ts';
import { createMyFlow, type MyFlow } from './my-flow.ts';
import './my.css';

export function startMyPage(root: HTMLElement, offer: LanguageOffer): void {
  const api = createMyApi({
    fetch: (input, init) => fetch(input, init),
    pause: browserPause,
    report: (reason) => flow.reportWaiting(reason),
  });
  const flow: MyFlow = createMyFlow(api);
  createRoot(root).render(
    <StrictMode>
      <MyApp flow={flow} offer={offer} />
    </StrictMode>,
  );
}
