/** What came of a ticket, for staff: a colour, a tone, what to do, and what a supervisor may do about it. */
import { useEffect, useState } from 'react';
import type { TicketDecision } from '../../../../server/contract/tickets.ts';
import { signalResult } from '../../../flow/result-signal.ts';
import { RESULT_TONES } from '../../../flow/routing.ts';
import { weekdayAndTime } from '../../../i18n/language.ts';
import { Lead } from '../../../ui/Lead.tsx';
import { Screen } from '../Screen.tsx';
import type { ScanApi } from './scan-api.ts';
import { type ScanWords, useScanWords } from './scan-words.ts';
import { Button } from '../../../ui/Button.tsx';

/** A little less than the server allows. */
const UNDO_MS = 14_000;
const MIN_REASON_CHARS = 3;

const ICONS = { passed: 'check', already: 'people', denied: 'cross' } as const;

type OutcomeProps = {
  api: ScanApi;
  decision: TicketDecision;
  isSupervisor: boolean;
  /** Says a failure. @returns whether there was none */
  act: (action: Promise<unknown>) => Promise<boolean>;
  onDecision: (decision: TicketDecision) => void;
  /** @param forgets the same code may be read again */
  onNext: (forgets: boolean) => void;
};

export function Outcome({ api, decision, isSupervisor, act, onDecision, onNext }: OutcomeProps) {
  const words = useScanWords();
  const { outcome } = words.scan;
  const { ticket, why, entry, direction, verdict } = decision;
  // It looks and sounds like a result of the same kind.
  const view = verdict === 'admit' ? 'passed' : verdict === 'refuse' ? 'denied' : 'already';
  const tone = RESULT_TONES[view];
  const [isUndone, setUndone] = useState(false);
  const [mayUndo, setMayUndo] = useState(isSupervisor && entry !== null);
  const [nowMs] = useState(() => Date.now());
  useEffect(() => signalResult(view, false), [view]);
  useEffect(() => {
    const timer = setTimeout(() => setMayUndo(false), UNDO_MS);
    return () => clearTimeout(timer);
  }, []);
  const { title, text } = isUndone
    ? { title: outcome.undone, text: outcome.undoneText }
    : saidOf(decision, words, (at) => (at === null ? '' : weekdayAndTime(at, nowMs, words.language)));
  const holder = [ticket?.name, ticket?.kind].filter((part) => part).join(' · ');
  return (
    <div className="scan__outcome" data-tone={isUndone ? 'look' : tone}>
      <Screen
        key={title}
        title={title}
        icon={isUndone ? 'repeat' : ICONS[view]}
        tone={isUndone ? 'look' : tone}
        actions={
          <>
            <Button look="main" onClick={() => onNext(isUndone)}>
              {outcome.next}
            </Button>
            {mayUndo && !isUndone && (
              <Button look="side" onClick={() => void act(api.undo(entry ?? 0)).then(setUndone)}>
                {outcome.undo}
              </Button>
            )}
          </>
        }
      >
        <Lead data-ticket={isUndone ? 'undone' : (why ?? verdict)}>{text}</Lead>
        {holder !== '' && <p className="scan__holder">{holder}</p>}
        {decision.note !== null && <p>{decision.note}</p>}
        {direction === 'in' && !isUndone && <Children api={api} decision={decision} act={act} />}
        {isSupervisor && direction === 'in' && view !== 'passed' && ticket !== null && !ticket.is_inside && (
          <LetIn
            onReason={(reason) => {
              void act(api.letIn(ticket.ticket_id, reason).then(onDecision));
            }}
          />
        )}
      </Screen>
    </div>
  );
}

function saidOf(
  decision: TicketDecision,
  { scan: { outcome }, tickets }: ScanWords,
  time: (at: string | null) => string,
): { title: string; text: string } {
  const { verdict, why, direction } = decision;
  if (verdict === 'admit')
    return direction === 'in'
      ? { title: outcome.letIn, text: outcome.letInText }
      : { title: outcome.out, text: outcome.outText };
  if (why === null) return { title: outcome.check, text: outcome.checkText };
  const fact = {
    already_in: () => outcome.lastAt({ at: time(decision.last_at), gate: decision.last_gate ?? '' }),
    wrong_event: () => outcome.otherEvent({ event: decision.other_event ?? '' }),
    too_early: () => tickets.too_early.text({ from: time(decision.valid_from) }),
    too_late: () => tickets.too_late.text({ until: time(decision.valid_until) }),
  }[why as string];
  return {
    title: tickets[why].title,
    text: [fact?.(), tickets[why].staff].filter((part) => part !== undefined).join(' '),
  };
}

/** A supervisor's word, which is recorded with their name. */
function LetIn({ onReason }: { onReason: (reason: string) => void }) {
  const { outcome } = useScanWords().scan;
  const [reason, setReason] = useState('');
  const isReady = reason.trim().length >= MIN_REASON_CHARS;
  const send = (event: Pick<Event, 'preventDefault'>) => {
    event.preventDefault();
    if (isReady) onReason(reason.trim());
  };
  return (
    <form className="field field--row" onSubmit={send}>
      <label>
        <span>{outcome.reason}</span>
        <input
          name="reason"
          autoComplete="off"
          maxLength={500}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </label>
      <Button type="submit" look="side" disabled={!isReady}>
        {outcome.letInAnyway}
      </Button>
    </form>
  );
}

/** Those of the order who are not inside, once somebody of it is: staff see the children, no face is checked. */
function Children({ api, decision, act }: Pick<OutcomeProps, 'api' | 'decision' | 'act'>) {
  const { scan, tickets } = useScanWords();
  const { outcome } = scan;
  const { party, ticket, verdict } = decision;
  const [here, setHere] = useState<readonly string[]>([]);
  const [done, setDone] = useState(0);
  const isAdmitted = verdict === 'admit';
  const comesWith = isAdmitted || party.some(({ is_inside: isInside }) => isInside);
  const others = party.filter(
    ({ ticket_id: id, is_inside: isInside }) => !isInside && !(isAdmitted && id === ticket?.ticket_id),
  );
  if (!comesWith || others.length === 0) return null;
  if (done > 0) return <p role="status">{outcome.childrenDone({ count: done })}</p>;
  return (
    <fieldset className="scan__children">
      <legend>{outcome.children}</legend>
      {others.map(({ ticket_id: id, name, kind }, index) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={here.includes(id)}
            onChange={({ target }) =>
              setHere(target.checked ? [...here, id] : here.filter((other) => other !== id))
            }
          />
          <span>
            {name ?? tickets.party.guest({ number: index + 1 })} <small>{kind}</small>
          </span>
        </label>
      ))}
      <Button
        look="side"
        disabled={here.length === 0}
        onClick={() => void act(api.children(here).then(setDone))}
      >
        {outcome.childrenLetIn({ count: here.length })}
      </Button>
    </fieldset>
  );
}
