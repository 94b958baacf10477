/** An order with several tickets: who of them is here? Each is then checked, one after the other. */
import { useState } from 'react';
import type { TicketDecision } from '../../../../server/contract/tickets.ts';
import { useKiosk } from '../context.ts';
import { Screen } from '../parts/Screen.tsx';
import { useTicketWords } from '../ticket-words.ts';
import { Button } from '../../../ui/Button.tsx';
import '../styles/tickets.css';

export function Party({ decision }: { decision: TicketDecision }) {
  const { kiosk, language, words: kioskWords } = useKiosk();
  const words = useTicketWords(language);
  const { party, ticket } = decision;
  const [here, setHere] = useState<readonly string[]>(ticket === null ? [] : [ticket.ticket_id]);
  const chosen = party.filter(({ ticket_id: id }) => here.includes(id));
  return (
    <Screen
      title={words.party.title({ count: party.length })}
      icon="people"
      actions={
        <>
          <Button look="main" disabled={chosen.length === 0} onClick={() => kiosk.partyIsHere(chosen)}>
            {words.party.start({ count: chosen.length })}
          </Button>
          <Button look="side" onClick={kiosk.reset}>
            {kioskWords.back}
          </Button>
        </>
      }
    >
      <p className="lead" data-say>
        {words.party.text}
      </p>
      <ul className="party">
        {party.map(({ ticket_id: id, name, kind, is_inside: isInside }, index) => (
          <li key={id}>
            <label>
              <input
                type="checkbox"
                checked={isInside || here.includes(id)}
                disabled={isInside}
                onChange={({ target }) =>
                  setHere(target.checked ? [...here, id] : here.filter((other) => other !== id))
                }
              />
              <span>
                {name ?? words.party.guest({ number: index + 1 })}
                <small>{isInside ? words.party.inside : kind}</small>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </Screen>
  );
}
