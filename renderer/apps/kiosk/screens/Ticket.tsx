/** What came of a ticket: for the guest, and for staff beside them. */
import { useEffect, useState } from 'react';
import type { DoorTicket, TicketDecision } from '../../../../server/contract/tickets.ts';
import { signalResult } from '../../../flow/result-signal.ts';
import { RESULT_TONES } from '../../../flow/routing.ts';
import { weekdayAndTime } from '../../../i18n/language.ts';
import { Button } from '../../../ui/Button.tsx';
import { Lead } from '../../../ui/Lead.tsx';
import { useKiosk } from '../context.ts';
import { Screen, Waiting } from '../parts/Screen.tsx';
import { useTicketWords } from '../ticket-words.ts';
import { Next } from './Result.tsx';
import '../styles/tickets.css';

type TicketProps = {
  decision: TicketDecision;
  leftS: number | null;
  /** The next guest of the party. */
  next: Pick<DoorTicket, 'name'> | null;
};

export function Ticket({ decision, leftS, next }: TicketProps) {
  const { kiosk, language, config } = useKiosk();
  const words = useTicketWords(language);
  const { ticket, why, verdict } = decision;
  // It looks and sounds like a result of the same kind.
  const view = verdict === 'admit' ? 'passed' : verdict === 'refuse' ? 'denied' : 'already';
  const isCalm = kiosk.state().isCalm;
  useEffect(() => signalResult(view, isCalm), [view, isCalm]);
  const isIn = view === 'passed' && decision.direction === 'in';
  const said = why !== null ? words[why] : isIn ? words.admitted : words.left;
  const [nowMs] = useState(() => Date.now());
  const time = (at: string | null) => (at === null ? '' : weekdayAndTime(at, nowMs, language));
  const text =
    typeof said.text === 'string'
      ? said.text
      : said.text({
          event: decision.other_event ?? '',
          from: time(decision.valid_from),
          until: time(decision.valid_until),
          at: time(decision.last_at),
          gate: decision.last_gate ?? '',
        });
  const own = isIn ? config?.event?.words[language]?.passed : undefined;
  const holder = [ticket?.name, ticket?.kind].filter((part) => part).join(' · ');
  return (
    <Screen
      title={said.title}
      icon={view === 'passed' ? 'check' : 'people'}
      tone={RESULT_TONES[view]}
      isFilled
      actions={
        next === null ? (
          <Next leftS={leftS} />
        ) : (
          <Button look="side" onClick={kiosk.leave}>
            {next.name === null ? words.party.nextTicket : words.party.next({ name: next.name })}
          </Button>
        )
      }
    >
      <Lead data-say data-ticket={why ?? verdict}>
        {own || text}
      </Lead>
      {holder !== '' && <p className="ticket__holder">{holder}</p>}
      {why !== null && <p className="ticket__staff">{words.staff({ action: words[why].staff })}</p>}
    </Screen>
  );
}

/** Lets the guest in who passed, as soon as it is shown. */
export function Admission() {
  const { kiosk, words } = useKiosk();
  useEffect(() => kiosk.admit(), [kiosk]);
  return <Waiting title={words.wait.title} />;
}
