/** On the phone that scanned a computer's code: the guest types the computer's number before anything is shown. */
import { useEffect, useRef, useState } from 'react';
import type { HandoffMessages } from '../../../../locales/types/handoff.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Lead } from '../../../ui/Lead.tsx';
import { MATCH_CODE_DIGITS } from '../../../../server/contract/flow.ts';
import { numberDigits } from '../../../flow/digits.ts';
import type { Flow, FlowState } from '../../../flow/flow.ts';
import { withHandoffWords } from '../later-words.tsx';
import { Screen } from '../Screen.tsx';

type HandoffProps = {
  flow: Pick<Flow, 'confirmHandoff'>;
  handoff: NonNullable<FlowState['handoff']>;
  busy: boolean;
  words: HandoffMessages;
};

export const Handoff = withHandoffWords(NumberEntry);

function NumberEntry({ flow, handoff, busy, words: { handoff: words } }: HandoffProps) {
  const [number, setNumber] = useState('');
  const [answered, setAnswered] = useState(handoff);
  // A wrong number is useless: clears the field for the next one.
  if (answered !== handoff) {
    setAnswered(handoff);
    if (handoff.wrong) setNumber('');
  }
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (handoff.wrong) field.current?.focus();
  }, [handoff]);
  const isWrong = handoff.wrong && number === '';
  return (
    <Screen
      title={words.title}
      icon="phone"
      actions={
        <Button
          type="submit"
          form="handoff-number"
          look="main"
          disabled={busy || number.length < MATCH_CODE_DIGITS}
        >
          {words.confirm}
        </Button>
      }
    >
      <Lead>{words.text({ organiser: handoff.branding.organiser })}</Lead>
      <form
        id="handoff-number"
        className="field"
        onSubmit={(event) => {
          event.preventDefault();
          if (number.length === MATCH_CODE_DIGITS) flow.confirmHandoff(number);
        }}
      >
        <label>
          <span>{words.label}</span>
          <input
            ref={field}
            name="number"
            className="match-entry"
            inputMode="numeric"
            autoComplete="off"
            enterKeyHint="go"
            required
            value={number}
            readOnly={busy}
            aria-describedby="handoff-trouble"
            aria-invalid={isWrong}
            onChange={(event) => setNumber(numberDigits(event.target.value))}
          />
        </label>
        <p id="handoff-trouble" role="alert" className="trouble">
          {isWrong && (
            <>
              <Icon name="info" />
              <span data-tries-left={handoff.tries_left}>
                {words.wrong({ triesLeft: handoff.tries_left })}
              </span>
            </>
          )}
        </p>
      </form>
      <p className="quiet">{words.stranger}</p>
    </Screen>
  );
}
