/** Asks for the number, or says to which one the code goes. */
import { useState } from 'react';
import type { PhoneState } from '../../../server/contract/flow.ts';
import type { Flow, FlowState } from '../flow.ts';
import { useWords } from '../messages-context.ts';
import { Screen } from '../Screen.tsx';
import { PhoneTroubleNote } from './PhoneTroubleNote.tsx';

export type PhoneNumberProps = { flow: Flow; state: FlowState; phone: PhoneState; prefill: string };

export function PhoneNumber({ flow, state, phone, prefill }: PhoneNumberProps) {
  const { messages } = useWords();
  const words = messages.phone;
  const [number, setNumber] = useState(prefill);
  const organiser = state.snapshot?.branding.organiser ?? '';
  const ready = phone.locked || number.trim() !== '';
  return (
    <Screen
      title={words.title}
      icon="phone"
      actions={
        <button
          type="submit"
          form="phone-number"
          className="button button--main"
          disabled={state.busy || !ready}
        >
          {words.send}
        </button>
      }
    >
      <p className="lead">{phone.locked ? words.lockedText(phone.hint ?? '') : words.text(organiser)}</p>
      <form
        id="phone-number"
        className="field"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) flow.sendCode(phone.locked ? null : number.trim());
        }}
      >
        {!phone.locked && (
          <>
            <label>
              <span>{words.numberLabel}</span>
              <input
                name="phone"
                type="tel"
                inputMode="tel"
                autoComplete="tel"
                maxLength={40}
                value={number}
                aria-describedby="phone-hint phone-trouble"
                aria-invalid={state.phoneTrouble !== null}
                onChange={(event) => setNumber(event.target.value)}
              />
            </label>
            <p id="phone-hint" className="quiet">
              {words.numberHint}
            </p>
          </>
        )}
        <PhoneTroubleNote state={state} />
      </form>
    </Screen>
  );
}
