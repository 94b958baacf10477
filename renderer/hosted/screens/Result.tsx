/** The end: passed, being looked at, or not possible with what to do next; then back where the person came from. */
import { useEffect, useState } from 'react';
import type { Presentation } from '../../../server/contract/flow.ts';
import type { IconName } from '../../ui/Icon.tsx';
import type { FlowState } from '../flow.ts';
import { safeReturnUrl } from '../link.ts';
import { useWords } from '../messages-context.ts';
import { presentationOf } from '../routing.ts';
import { Screen, type Tone } from '../Screen.tsx';

/** Time to read the result before the page goes on by itself; the person may stop it. */
const RETURN_AFTER_S = 8;

const LOOK: Record<Presentation, { icon: IconName; tone: Tone }> = {
  approved: { icon: 'check', tone: 'passed' },
  flagged: { icon: 'check', tone: 'passed' },
  pending: { icon: 'check', tone: 'plain' },
  denied: { icon: 'cross', tone: 'refused' },
  declined: { icon: 'door', tone: 'plain' },
};

export function Result({ state }: { state: FlowState }) {
  const { messages } = useWords();
  const words = messages.result;
  const presented: Presentation = state.snapshot === null ? 'pending' : presentationOf(state.snapshot);
  const organiser = state.snapshot?.branding.organiser ?? '';
  const returnUrl = safeReturnUrl(state.snapshot?.result?.return_url);
  const [secondsLeft, setSecondsLeft] = useState(returnUrl === null ? null : RETURN_AFTER_S);
  const { title, text } =
    presented === 'approved' || presented === 'flagged' ? words.passed : words[presented];

  useEffect(() => {
    if (secondsLeft === null || returnUrl === null) return;
    if (secondsLeft === 0) {
      location.replace(returnUrl);
      return;
    }
    const timer = setTimeout(() => setSecondsLeft(secondsLeft - 1), 1_000);
    return () => clearTimeout(timer);
  }, [secondsLeft, returnUrl]);

  return (
    <Screen
      title={title}
      {...LOOK[presented]}
      actions={
        returnUrl !== null && (
          <>
            <a
              className="button button--main"
              href={returnUrl}
              onClick={(event) => {
                event.preventDefault();
                location.replace(returnUrl);
              }}
            >
              {words.continue}
            </a>
            {secondsLeft !== null && (
              <p className="returning">
                <span>{words.returning(secondsLeft)}</span>
                <button type="button" className="button button--quiet" onClick={() => setSecondsLeft(null)}>
                  {words.stay}
                </button>
              </p>
            )}
          </>
        )
      }
    >
      <p className="lead">{typeof text === 'string' ? text : text(organiser)}</p>
      {returnUrl === null && <p className="quiet">{words.close}</p>}
    </Screen>
  );
}
