/** The end: passed, in review, or failed with what to do next; then back to where the guest came from. */
import { Suspense, useEffect, useState } from 'react';
import type { FlowResult } from '../../../../server/contract/flow.ts';
import { lazyPart } from '../../../http/load-part.ts';
import { Button } from '../../../ui/Button.tsx';
import type { IconName } from '../../../ui/Icon.tsx';
import { Lead } from '../../../ui/Lead.tsx';
import type { Exit } from '../exit.ts';
import type { Flow, FlowState } from '../../../flow/flow.ts';
import { useWords } from '../messages-context.ts';
import { prefersCalm } from '../../../ui/tones.ts';
import { signalResult } from '../../../flow/result-signal.ts';
import { continuesOnComputer, RESULT_TONES, resultViewOf, type ResultView } from '../../../flow/routing.ts';
import { Screen, OwnPageLink } from '../Screen.tsx';

const Pending = lazyPart(
  () => import('./Pending.tsx'),
  'Pending',
  // Without this part the page stays as it is; a reload shows the decision.
  () => null,
);

/** Time to read the result before the page continues automatically; the guest can stop it. */
const RETURN_AFTER_S = 8;

const ICONS: Record<ResultView, IconName> = {
  passed: 'check',
  already: 'info',
  pending: 'clock',
  denied: 'cross',
  declined: 'door',
};

type ResultProps = { flow: Flow; state: FlowState; exit: Exit };

export function Result({ flow, state, exit }: ResultProps) {
  const { messages } = useWords();
  const words = messages.result;
  const { snapshot } = state;
  const result = snapshot?.result ?? null;
  const view = resultViewOf(snapshot);
  const isPending = view === 'pending';
  const organiser = snapshot?.branding.organiser ?? '';
  const onComputer = continuesOnComputer(state);
  const canLeave = !onComputer && exit.canLeave(result);
  // A test session may be decided here first.
  const returns = canLeave && !(isPending && snapshot?.is_test);
  const [secondsLeft, setSecondsLeft] = useState(returns ? RETURN_AFTER_S : null);
  const { title, text } = words[view];
  const isDoneHere = onComputer && view === 'passed';

  useEffect(() => signalResult(view, prefersCalm()), [view]);
  useEffect(() => {
    if (secondsLeft === null) return;
    if (secondsLeft === 0) {
      exit.leave(result);
      return;
    }
    const timer = setTimeout(() => setSecondsLeft(secondsLeft - 1), 1_000);
    return () => clearTimeout(timer);
  }, [secondsLeft, exit, result]);

  return (
    <Screen
      title={isDoneHere ? words.done : title}
      icon={ICONS[view]}
      tone={RESULT_TONES[view]}
      actions={
        canLeave && (
          <>
            <LeaveButton exit={exit} result={result} />
            {secondsLeft !== null && (
              <p className="returning">
                <span>
                  {exit.embedded
                    ? words.closes({ seconds: secondsLeft })
                    : words.returning({ seconds: secondsLeft })}
                </span>
                <Button look="quiet" onClick={() => setSecondsLeft(null)}>
                  {words.stay}
                </Button>
              </p>
            )}
          </>
        )
      }
    >
      <Lead>{isDoneHere ? words.onComputer : typeof text === 'string' ? text : text({ organiser })}</Lead>
      <Suspense>{isPending && <Pending flow={flow} state={state} />}</Suspense>
      {!canLeave && !isDoneHere && <p className="quiet">{onComputer ? words.onComputer : words.close}</p>}
      <OwnPageLink
        snapshot={snapshot}
        staysHere={!isPending && !canLeave}
        onOpen={() => setSecondsLeft(null)}
      />
    </Screen>
  );
}

/** A link if there is an address, so that it can be seen and copied; a button if it closes a view. */
function LeaveButton({ exit, result }: { exit: Exit; result: FlowResult | null }) {
  const { messages } = useWords();
  const returnUrl = exit.returnUrl(result);
  if (returnUrl === null) {
    return (
      <Button look="main" onClick={() => exit.leave(result)}>
        {messages.closeView}
      </Button>
    );
  }
  return (
    <a
      className="button button--main"
      href={returnUrl}
      onClick={(event) => {
        event.preventDefault();
        exit.leave(result);
      }}
    >
      {messages.result.back({ site: new URL(returnUrl).host })}
    </a>
  );
}
