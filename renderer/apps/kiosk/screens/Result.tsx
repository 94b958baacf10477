/** The result over the whole screen, for the person and for staff behind them. It closes after a few seconds. */
import { useEffect } from 'react';
import type { FlowState } from '../../../flow/flow.ts';
import { signalResult } from '../../../flow/result-signal.ts';
import { RESULT_TONES, resultViewOf } from '../../../flow/routing.ts';
import { Button } from '../../../ui/Button.tsx';
import { Lead } from '../../../ui/Lead.tsx';
import { useKiosk } from '../context.ts';
import { GuestNumber, Screen } from '../parts/Screen.tsx';

export function Result({ flow, leftS }: { flow: FlowState; leftS: number | null }) {
  const { words, messages, config, language, kiosk } = useKiosk();
  const shown = resultViewOf(flow.snapshot);
  const isCalm = kiosk.state().isCalm;
  useEffect(() => signalResult(shown, isCalm), [shown, isCalm]);
  const event = config?.event?.words[language];
  const own = shown === 'passed' ? event?.passed : shown === 'declined' ? event?.ask_staff : undefined;
  const { title } = shown === 'passed' ? words.result.passed : messages.result[shown];
  const { text } = words.result[shown];
  return (
    <Screen
      title={title}
      icon={shown === 'passed' ? 'check' : 'people'}
      tone={RESULT_TONES[shown]}
      isFilled
      actions={<Next leftS={leftS} />}
    >
      <Lead data-say data-result={shown}>
        {own || text}
      </Lead>
      {shown !== 'passed' && flow.snapshot !== null && <GuestNumber sessionId={flow.snapshot.session_id} />}
    </Screen>
  );
}

/** How long a last screen stays, and a button to leave it immediately. */
export function Next({ leftS }: { leftS: number | null }) {
  const { kiosk, words } = useKiosk();
  return (
    <>
      <Button look="side" onClick={kiosk.reset}>
        {words.done}
      </Button>
      {/* Its line is there from the start, so that nothing moves when the countdown begins. */}
      <p className="next" style={{ visibility: leftS === null ? 'hidden' : 'visible' }}>
        {words.next({ seconds: leftS ?? 0 })}
      </p>
    </>
  );
}
