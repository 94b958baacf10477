/** The page's frame: organiser above, one screen, the language and our name below. */
import { Suspense, useEffect, useSyncExternalStore } from 'react';
import type { LanguageOffer } from '../../../server/contract/languages.ts';
import { lazyPart } from '../../http/load-part.ts';
import type { DeadEnd } from '../../i18n/messages.ts';
import type { Flow } from '../../flow/flow.ts';
import type { Exit } from './exit.ts';
import type { FlowApi } from '../../flow/flow-api.ts';
import { hasOwnText } from '../../flow/consent.tsx';
import { Frame } from './Frame.tsx';
import { loadWords, useChosenWords, type Words } from './messages-context.ts';
import type { Prefill } from '../../flow/link.ts';
import { continuesOnComputer, resultViewOf, returnsAtOnce } from '../../flow/routing.ts';
import { Consent } from './screens/Consent.tsx';
import { Dead } from './screens/Dead.tsx';
import { Result } from './screens/Result.tsx';
import { Waiting } from './Screen.tsx';
import type { RunMemory } from '../../flow/run-memory.ts';

const Capture = lazyPart(() => import('./screens/Capture.tsx'), 'Capture');
const EventConsent = lazyPart(() => import('./screens/EventConsent.tsx'), 'EventConsent');
const Desktop = lazyPart(() => import('./screens/Desktop.tsx'), 'Desktop');
const Handoff = lazyPart(() => import('./screens/Handoff.tsx'), 'Handoff');
const Retry = lazyPart(() => import('./screens/Retry.tsx'), 'Retry');
const Elsewhere = lazyPart(() => import('./screens/Elsewhere.tsx'), 'Elsewhere');
const Phone = lazyPart(() => import('./screens/Phone.tsx'), 'Phone');
const Recording = lazyPart(() => import('./screens/Recording.tsx'), 'Recording');
const TestChoice = lazyPart(() => import('./screens/TestChoice.tsx'), 'TestChoice');

/** Dead ends in which the page still knows its run. */
const REMEMBERED: readonly DeadEnd[] = ['server', 'continued', 'moved'];

type AppProps = {
  flow: Flow;
  api: FlowApi;
  memory: RunMemory;
  exit: Exit;
  prefill: Prefill;
  /** The languages offered to the guest. */
  offer: LanguageOffer;
  /** In the language that the page starts in. */
  firstWords: Words;
};

export function App({ flow, api, memory, exit, prefill, offer, firstWords }: AppProps) {
  const state = useSyncExternalStore(flow.subscribe, flow.state);
  const chosen = useChosenWords(firstWords, loadWords);
  const { messages } = chosen.words;
  const { screen, snapshot } = state;
  // A phone learns the organiser before anything about the run.
  const framed = snapshot ?? state.handoff;
  const result = screen === 'result' ? (snapshot?.result ?? null) : null;
  // A run in review has a provisional result and continues: a reload and the decision need the stored state. A run that
  // continued in another browser shows that again after a reload, with the token that has ended.
  const ended =
    (result !== null && snapshot?.state !== 'in_review') ||
    (screen === 'dead' && !REMEMBERED.includes(state.deadEnd));
  const leaving =
    result !== null &&
    snapshot !== null &&
    !continuesOnComputer(state) &&
    returnsAtOnce(snapshot) &&
    exit.canLeave(result);

  const endedSession = result === null ? null : (snapshot?.session_id ?? null);
  useEffect(() => {
    if (!ended) return;
    if (endedSession === null) memory.forget();
    else memory.settle(endedSession);
  }, [ended, endedSession, memory]);
  useEffect(() => {
    if (result === null) return;
    exit.complete(result);
    if (leaving) exit.leave(result);
  }, [result, leaving, exit]);

  // While a request is retried, the reason replaces its description.
  const notice = state.waiting === null ? null : messages.waiting[state.waiting];
  const waiting = (title: string, text?: string) => <Waiting {...(notice ?? { title, text })} />;

  const recording = snapshot?.recording && <Recording flow={flow} state={state} />;
  const content = () => {
    switch (screen) {
      case 'loading':
        return waiting(messages.loading);
      case 'consent':
        if (recording) return recording;
        return hasOwnText(snapshot) ? (
          <EventConsent flow={flow} state={state} />
        ) : (
          <Consent flow={flow} state={state} />
        );
      case 'desktop':
        return <Desktop flow={flow} state={state} />;
      case 'handoff':
        return state.handoff && <Handoff flow={flow} handoff={state.handoff} busy={state.busy} />;
      case 'phone':
        return <Phone flow={flow} state={state} prefill={prefill.phone} />;
      case 'testChoice':
        return <TestChoice flow={flow} state={state} />;
      case 'capture':
        return (
          <Suspense
            fallback={
              <Waiting title={messages.capture.preparing.title} text={messages.capture.preparingCheck} />
            }
          >
            <Capture flow={flow} state={state} api={api} />
          </Suspense>
        );
      case 'elsewhere':
        return <Elsewhere flow={flow} state={state} />;
      case 'checking':
        return waiting(messages.checking.title, messages.checking.text);
      case 'retry':
        return <Retry flow={flow} state={state} />;
      case 'result':
        if (recording) return recording;
        return leaving ? (
          <Waiting title={messages.result[resultViewOf(snapshot)].title} />
        ) : (
          // A decision is a new result: it is announced, and has its own time to be read.
          <Result key={snapshot?.state} flow={flow} state={state} exit={exit} />
        );
      case 'dead':
        return <Dead flow={flow} state={state} exit={exit} />;
    }
  };

  return (
    <Frame
      state={{ ...state, snapshot: framed }}
      title={messages.documentTitle}
      chosen={chosen}
      offer={offer}
      onDismiss={exit.dismiss}
    >
      {/* A part of the page that isn't loaded yet. */}
      <Suspense fallback={waiting(messages.loading)}>{content()}</Suspense>
    </Frame>
  );
}
