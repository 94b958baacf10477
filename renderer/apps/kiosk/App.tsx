/** The kiosk's page: one screen at a time, said aloud where wished, and back to the beginning when nobody is there. */
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { FlowState } from '../../flow/flow.ts';
import type { Language } from '../../i18n/language.ts';
import { resultViewOf } from '../../flow/routing.ts';
import { KioskContext, type KioskPage, type KioskServices } from './context.ts';
import { idleRuleOf, useIdle } from './idle.ts';
import { type KioskState, reportedScreen, screenNameOf, wantsWarmCamera } from './kiosk-state.ts';
import type { LanguageMessages, LoadedMessages } from './messages.ts';
import { Frame } from './parts/Frame.tsx';
import { StillThere } from './parts/StillThere.tsx';
import { ScreenContent } from './ScreenContent.tsx';

const nothing = () => () => undefined;

/** The present visit's flow; null without a visit. */
function useFlow({ stage }: KioskState): FlowState | null {
  const flow = stage.kind === 'visit' ? stage.visit.flow : null;
  return useSyncExternalStore(flow?.subscribe ?? nothing, () => flow?.state() ?? null);
}

/** The wanted language once it is loaded; until then the one on the screen. */
function useShown(loaded: LoadedMessages, wanted: Language): LanguageMessages {
  const [last, setLast] = useState(() => loaded[wanted] ?? Object.values(loaded)[0]);
  const shown = loaded[wanted] ?? last;
  if (shown === undefined) throw new Error('The kiosk has no messages.');
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
  const page = useRef<HTMLDivElement>(null);
  const canSpeak = useSyncExternalStore(speaker.onVoices, () => speaker.canSpeak(language));

  const hasPassed = resultViewOf(flow?.snapshot ?? null) === 'passed';
  // The attract screen shows nothing of a person, even while it reports trouble.
  const rule = state.stage.kind === 'attract' ? null : idleRuleOf(screen, state.isCalm, hasPassed);
  const { leftS, poke } = useIdle(screen, rule, kiosk.reset);

  const say = useCallback(
    (text: string) => {
      if (isReadAloud) speaker.say(text, language);
    },
    [speaker, isReadAloud, language],
  );
  useEffect(() => {
    const parts = [...(page.current?.querySelectorAll('main [data-say]') ?? [])];
    say(parts.map(({ textContent }) => textContent).join('. '));
    return () => speaker.hush();
  }, [say, speaker, screen]);

  useEffect(() => kiosk.shows(reportedScreen(screen)), [kiosk, screen]);
  const isCameraWarm = wantsWarmCamera(state, screen);
  useEffect(() => {
    if (isCameraWarm) cameras.warm(memory.cameraId());
    // The capture takes the camera with it.
    else if (screen !== 'capture') cameras.cool();
  }, [cameras, memory, isCameraWarm, screen]);
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = words.documentTitle;
  }, [language, words]);
  useEffect(() => {
    const token = memory.token();
    // A desktop that cannot hold the screen says so in its log; the check itself is not in the way.
    if (isPaired && token !== null) desktop?.lock(token).catch(() => undefined);
    if (!isPaired) desktop?.release().catch(() => undefined);
  }, [desktop, memory, isPaired]);

  const { config } = state;
  const context = useMemo<KioskPage>(
    () => ({ ...services, config, language, words, messages, loaded, isReadAloud, say, poke }),
    [services, config, language, words, messages, loaded, isReadAloud, say, poke],
  );
  return (
    <KioskContext value={context}>
      <div ref={page} className="kiosk-root">
        <Frame state={state} screen={screen} canSpeak={canSpeak}>
          <ScreenContent state={state} screen={screen} flow={flow} leftS={leftS} />
        </Frame>
        {leftS !== null && rule?.asks && <StillThere leftS={leftS} />}
      </div>
    </KioskContext>
  );
}
