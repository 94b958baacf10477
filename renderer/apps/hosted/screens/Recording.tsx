/** The first and last screen of a capture that is recorded to measure the check (`gatehouse record`). */
import { useEffect } from 'react';
import { RECORDING_CONSENT_VERSION } from '../../../../server/contract/consent-texts.ts';
import { ConsentFacts } from '../../../flow/consent.tsx';
import type { Flow, FlowState } from '../../../flow/flow.ts';
import { dayInWords } from '../../../i18n/language.ts';
import { linesOf } from '../../../i18n/messages.ts';
import { Button } from '../../../ui/Button.tsx';
import { Lead } from '../../../ui/Lead.tsx';
import { useLaterWords } from '../later-words.tsx';
import { useWords } from '../messages-context.ts';
import { Screen, Waiting } from '../Screen.tsx';

const loadCapture = () => import('./Capture.tsx');

/** The text of the recorder, and the language in which it is shown; null until it is loaded. */
function useRecordingText({ snapshot }: FlowState) {
  const shown = useLaterWords('recording');
  if (shown === null || !snapshot?.recording) return null;
  const { words, language } = shown;
  const { code, kept_until: keptUntil } = snapshot.recording;
  const { organiser } = snapshot.branding;
  return { words, language, organiser, code, date: dayInWords(`${keptUntil}T12:00:00Z`, language) };
}

export function Recording({ flow, state }: { flow: Flow; state: FlowState }) {
  return state.screen === 'result' ? (
    <RecordingResult state={state} />
  ) : (
    <RecordingConsent flow={flow} state={state} />
  );
}

function RecordingConsent({ flow, state }: { flow: Flow; state: FlowState }) {
  const { messages } = useWords();
  const text = useRecordingText(state);
  useEffect(() => {
    loadCapture().then(
      (capture) => capture.warmUp(),
      () => undefined,
    );
  }, []);
  if (text === null) return <Waiting title={messages.loading} />;
  const { organiser, date, language } = text;
  const { consent } = text.words;
  const facts = [
    [consent.whyTerm, consent.why({ organiser })],
    [consent.keptTerm, consent.kept],
    [consent.howLongTerm, consent.howLong({ date })],
  ] as const;
  const accept = () => {
    loadCapture().then(
      (capture) => capture.startCamera(),
      () => undefined,
    );
    flow.accept(RECORDING_CONSENT_VERSION, language);
  };
  return (
    <Screen
      title={consent.title}
      actions={
        <>
          <Button look="main" disabled={state.busy} onClick={accept}>
            {consent.accept}
          </Button>
          <Button look="quiet" disabled={state.busy} onClick={() => flow.decline()}>
            {consent.decline}
          </Button>
        </>
      }
    >
      <ConsentFacts facts={facts} more={consent.more} details={linesOf(consent.details, { organiser })} />
    </Screen>
  );
}

/** The code that erases the recording, or that there is none. The verdict is for the operator's report only. */
function RecordingResult({ state }: { state: FlowState }) {
  const { messages } = useWords();
  const text = useRecordingText(state);
  if (text === null) return <Waiting title={messages.loading} />;
  const { words, organiser, date, code } = text;
  if (state.snapshot?.recording?.done !== true) {
    return (
      <Screen title={words.declined.title}>
        <p className="quiet">{messages.result.close}</p>
      </Screen>
    );
  }
  return (
    <Screen title={words.done.title} icon="check" tone="plain">
      <Lead>{words.done.text({ organiser, date })}</Lead>
      <p className="match__code">{code}</p>
      <p className="quiet">{messages.result.close}</p>
    </Screen>
  );
}
