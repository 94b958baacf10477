/** The kiosk's page: one screen at a time, read aloud if requested, and back to the start when nobody is there. */
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { FlowState } from '../../flow/flow.ts';
import type { Language } from '../../i18n/language.ts';
import { resultViewOf } from '../../flow/routing.ts';
import { Button } from '../../ui/Button.tsx';
import { keepScreenOn } from '../../ui/screen-on.ts';
import { followWedge } from '../../ui/wedge.ts';
import { KioskContext, type KioskPage, type KioskServices, useKiosk } from './context.ts';
import { idleRuleOf, useIdle } from './idle.ts';
import {
  type KioskState,
  reportedScreen,
  screenNameOf,
  shownDecision,
  wantsWarmCamera,
} from './kiosk-state.ts';
import type { LanguageMessages, LoadedMessages } from './messages.ts';
import { Frame } from './parts/Frame.tsx';
import { Said, ScreenContent } from './ScreenContent.tsx';

const nothing = () => () => undefined;

/** The current visit's flow; null without a visit. */
function useFlow({ stage }: KioskState): FlowState | null {
  const flow = stage.kind === 'visit' ? stage.visit.flow : null;
  return useSyncExternalStore(flow?.subscribe ?? nothing, () => flow?.state() ?? null);
}

/** The requested language once it is loaded; until then the one on the screen. */
function useShown(loaded: LoadedMessages, wanted: Language): LanguageMessages {
  const [last, setLast] = useState(() => loaded[wanted] ?? Object.values(loaded)[0]);
  const shown = loaded[wanted] ?? last;
  if (shown === undefined) throw new Error('No messages.');
  if (shown !== last) setLast(shown);
  return shown;
}

export function App(services: KioskServices) {
  const { kiosk, speaker, desktop, memory, cameras, languages } = services;
  const state = useSyncExternalStore(kiosk.subscribe, kiosk.state);
  const flow = useFlow(state);
  const { isReadAloud } = state;
  const loaded = useSyncExternalStore(languages.subscribe, languages.loaded);
  const shown = useShown(loaded, state.language);
  const { isPaired } = state.pairing;
  const screen = screenNameOf(state, flow);
  const { language, kiosk: words, hosted: messages } = shown;
  const canSpeak = useSyncExternalStore(speaker.onVoices, () => speaker.canSpeak(language));

  // A result that is read aloud must not close before it was heard.
  const decision = shownDecision(state);
  const isIn =
    decision === null ? resultViewOf(flow?.snapshot ?? null) === 'passed' : decision.verdict === 'admit';
  const closesSoon = isIn && !isReadAloud;
  // The first screen shows nothing about a person, even while it reports trouble.
  const rule = state.stage.kind === 'attract' ? null : idleRuleOf(screen, state.isCalm, closesSoon);
  const { leftS, poke } = useIdle(screen, rule, kiosk.leave);

  const say = useCallback(
    (text: string) => {
      if (isReadAloud) speaker.say(text, language);
    },
    [speaker, isReadAloud, language],
  );
  useEffect(() => speaker.hush, [say, speaker, screen]);

  useEffect(() => kiosk.shows(reportedScreen(screen)), [kiosk, screen]);
  const isCameraWarm = wantsWarmCamera(state, screen);
  useEffect(() => {
    if (isCameraWarm) cameras.warm(memory.cameraId());
    // The capture takes over the camera.
    else if (screen !== 'capture') cameras.cool();
  }, [cameras, memory, isCameraWarm, screen]);
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = words.documentTitle;
  }, [language, words]);
  useEffect(() => {
    const token = memory.token();
    // A desktop that cannot hold the screen logs it; the check itself is not affected.
    if (isPaired && token !== null) desktop?.lock(token).catch(() => undefined);
    if (!isPaired) desktop?.release().catch(() => undefined);
  }, [desktop, memory, isPaired]);

  const isInUse = isPaired && state.tab === 'this';
  useEffect(() => (isInUse ? keepScreenOn() : undefined), [isInUse]);
  useEffect(() => (isInUse ? followWedge((text) => void kiosk.scanned(text)) : undefined), [isInUse, kiosk]);

  const { config } = state;
  const context = useMemo<KioskPage>(
    () => ({ ...services, config, language, words, messages, loaded, isReadAloud, say, poke }),
    [services, config, language, words, messages, loaded, isReadAloud, say, poke],
  );
  return (
    <KioskContext value={context}>
      <div className="kiosk-root">
        <Frame state={state} screen={screen} canSpeak={canSpeak}>
          <ScreenContent state={state} screen={screen} flow={flow} leftS={leftS} />
          <Said key={screen} />
        </Frame>
        {leftS !== null && rule?.asks && <StillThere leftS={leftS} />}
      </div>
    </KioskContext>
  );
}

/** Asks before the kiosk starts over, so that slow readers keep their progress. */
function StillThere({ leftS }: { leftS: number }) {
  const { words, poke, say } = useKiosk();
  const dialog = useRef<HTMLDialogElement>(null);
  const { title, text, stay } = words.stillThere;
  useEffect(() => {
    dialog.current?.showModal();
    say(title);
  }, [say, title]);
  return (
    <dialog ref={dialog} className="still-there" aria-labelledby="still-there" onCancel={poke}>
      <h2 id="still-there">{title}</h2>
      <p className="lead">{text({ seconds: leftS })}</p>
      <Button look="main" autoFocus onClick={poke}>
        {stay}
      </Button>
    </dialog>
  );
}
