/** The current screen, by its name. */
import { type ReactNode, Suspense, useEffect } from 'react';
import { hasOwnText } from '../../flow/consent.tsx';
import type { FlowState } from '../../flow/flow.ts';
import {
  Admission,
  Capture,
  EventConsent,
  OtherTab,
  Pairing,
  Party,
  Phone,
  Retry,
  Scan,
  ShowTicket,
  Staff,
  TestFaces,
  Ticket,
} from './capture-part.ts';
import { useKiosk } from './context.ts';
import {
  isTroubleScreen,
  isVisitScreen,
  type KioskState,
  type ScreenName,
  shownDecision,
  troubleOf,
  type VisitScreen,
} from './kiosk-state.ts';
import { Waiting } from './parts/Screen.tsx';
import { AskStaff } from './screens/AskStaff.tsx';
import { Attract } from './screens/Attract.tsx';
import { Consent } from './screens/Consent.tsx';
import { Dead, Refused } from './screens/Dead.tsx';
import { Result } from './screens/Result.tsx';
import { Trouble } from './screens/Trouble.tsx';
import type { Visit } from './visit.ts';

type ScreenContentProps = {
  state: KioskState;
  screen: ScreenName;
  flow: FlowState | null;
  /** Remaining seconds of the screen, if shown. */
  leftS: number | null;
};

/** What is loaded on demand; it is read aloud once it is there. */
const later = (part: ReactNode, fallback: ReactNode) => (
  <Suspense fallback={fallback}>
    <Said />
    {part}
  </Suspense>
);

/** Reads the screen aloud, if requested, and ends any earlier speech. */
export function Said(): null {
  const { say } = useKiosk();
  useEffect(() => {
    const parts = [...document.querySelectorAll('main [data-say]')];
    say(parts.map(({ textContent }) => textContent).join('. '));
  }, [say]);
  return null;
}

export function ScreenContent({ state, screen, flow, leftS }: ScreenContentProps) {
  const { words } = useKiosk();
  const { stage, config, pairing } = state;
  // Without a guest, no check is opening.
  const waiting = <Waiting title={words.wait.title} />;
  if (isTroubleScreen(screen)) {
    const trouble = troubleOf(screen);
    return <Trouble key={trouble} trouble={trouble} stage={stage} />;
  }
  if (screen === 'other_tab') return later(<OtherTab />, waiting);
  if (screen === 'staff') return later(<Staff />, waiting);
  if (screen === 'pairing') return later(<Pairing pairing={pairing} />, waiting);
  if (stage.kind === 'visit' && flow !== null && isVisitScreen(screen)) {
    return <VisitContent state={state} visit={stage.visit} screen={screen} flow={flow} leftS={leftS} />;
  }
  switch (stage.kind) {
    case 'attract':
      return config?.event ? <Attract event={config.event} /> : waiting;
    case 'scan':
      return later(<Scan />, <Waiting {...words.wait} />);
    case 'ticket':
      return later(<Ticket decision={stage.decision} leftS={leftS} next={null} />, waiting);
    case 'party':
      return later(<Party decision={stage.decision} />, waiting);
    case 'refused':
      return <Refused problem={stage.problem} leftS={leftS} />;
    case 'opening':
    case 'visit':
      return <Waiting {...words.wait} />;
    case 'staff':
      return waiting;
  }
}

type VisitContentProps = Omit<ScreenContentProps, 'screen' | 'flow'> & {
  visit: Visit;
  screen: VisitScreen;
  flow: FlowState;
};

function VisitContent({ state, visit, screen, flow, leftS }: VisitContentProps) {
  const { messages } = useKiosk();
  const decision = shownDecision(state);
  const loading = <Waiting title={messages.loading} />;
  switch (screen) {
    case 'consent':
      return hasOwnText(flow.snapshot) ? (
        later(<EventConsent visit={visit} flow={flow} />, loading)
      ) : (
        <Consent visit={visit} flow={flow} />
      );
    case 'phone':
      return later(<Phone visit={visit} flow={flow} />, loading);
    case 'test':
      return later(<TestFaces visit={visit} flow={flow} />, loading);
    case 'capture':
      return later(
        <Capture visit={visit} />,
        state.isOnline === false ? (
          <Trouble trouble="offline" stage={state.stage} />
        ) : (
          <Waiting title={messages.capture.preparing.title} text={messages.capture.preparingCheck} />
        ),
      );
    case 'checking':
      return <Waiting {...messages.checking} />;
    case 'retry':
      return later(<Retry visit={visit} flow={flow} />, loading);
    case 'ask_staff':
      return <AskStaff visit={visit} flow={flow} />;
    case 'admission':
      return later(<Admission />, loading);
    case 'show_ticket':
      return later(<ShowTicket />, loading);
    case 'ticket':
      return later(
        decision !== null && <Ticket decision={decision} leftS={leftS} next={state.party[0] ?? null} />,
        loading,
      );
    case 'result':
      return <Result flow={flow} leftS={leftS} />;
    case 'dead':
      return <Dead deadEnd={flow.deadEnd} leftS={leftS} />;
  }
}
