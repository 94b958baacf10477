/** Starts "my verifications". Loaded as a separate chunk. */
import type { ReactNode } from 'react';
import type { Language, LanguageOffer } from '../../../../server/contract/languages.ts';
import { browserPause } from '../../../http/retrying.ts';
import { loadMyWords } from '../messages-context.ts';
import { MyApp } from './MyApp.tsx';
import { createMyApi } from './my-api.ts';
import { createMyFlow, type MyFlow } from './my-flow.ts';
import './my.css';

export async function myPage(offer: LanguageOffer, language: Language): Promise<ReactNode> {
  const api = createMyApi({
    fetch: (input, init) => fetch(input, init),
    pause: browserPause,
    report: (reason) => flow.reportWaiting(reason),
  });
  const flow: MyFlow = createMyFlow(api);
  return <MyApp flow={flow} offer={offer} firstWords={await loadMyWords(language)} />;
}
