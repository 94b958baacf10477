/** Phone verification: the number first, unless the run has its own; then the code sent to it. */
import type { ReactNode } from 'react';
import type { PhoneState } from '../../../../server/contract/flow.ts';
import { MAX_PHONE_CHARS } from '../../../../server/contract/text-bounds.ts';
import type { Flow, FlowState } from '../../../flow/flow.ts';
import {
  usePhoneChoice,
  type PhoneStep,
  type PhoneStepState,
  useNumberEntry,
} from '../../../flow/phone-step.ts';
import { Lead } from '../../../ui/Lead.tsx';
import { useWords } from '../messages-context.ts';
import { Screen } from '../Screen.tsx';
import { PhoneCode, PhoneTroubleNote } from './PhoneCode.tsx';

type PhoneProps = { flow: Flow; state: FlowState; prefill: string };

export function Phone({ flow, state, prefill }: PhoneProps) {
  const words = useWords().messages.phone;
  const isTest = state.snapshot?.is_test ?? false;
  const { phone, asksFor, changeNumber } = usePhoneChoice(state.snapshot?.phone ?? null);
  if (asksFor === 'number') {
    const text = words.text({ organiser: state.snapshot?.branding.organiser ?? '' });
    return (
      <PhoneNumber
        flow={flow}
        state={state}
        phone={phone}
        prefill={prefill}
        title={words.title}
        text={text}
        {...(isTest ? { hint: words.testNumber } : {})}
      />
    );
  }
  return (
    <PhoneCode
      key={phone.code_sent_at}
      flow={flow}
      state={state}
      phone={phone}
      {...(isTest ? { help: words.testCode } : {})}
      onChange={changeNumber}
    />
  );
}

type PhoneNumberProps = {
  flow: Pick<PhoneStep, 'sendCode'>;
  state: PhoneStepState;
  phone: PhoneState;
  prefill: string;
  title: string;
  /** Why the number is needed; if the run has its own number, the page shows where the code is sent. */
  text: string;
  /** What to enter, instead of the default text. */
  hint?: string;
  /** Below the form. */
  after?: ReactNode;
};

/** Asks for the number, or shows where the code is sent. */
export function PhoneNumber({ flow, state, phone, prefill, title, text, hint, after }: PhoneNumberProps) {
  const { messages } = useWords();
  const words = messages.phone;
  const entry = useNumberEntry(flow, state, phone, prefill);
  return (
    <Screen
      title={title}
      icon="phone"
      actions={
        <button type="submit" form="phone-number" className="button button--main" disabled={!entry.canSend}>
          {words.send}
        </button>
      }
    >
      <Lead>{phone.locked ? words.lockedText({ number: phone.hint ?? '' }) : text}</Lead>
      <form
        id="phone-number"
        className="field"
        onSubmit={(event) => {
          event.preventDefault();
          entry.send();
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
                maxLength={MAX_PHONE_CHARS}
                value={entry.number}
                aria-describedby="phone-hint phone-trouble"
                aria-invalid={state.phoneTrouble !== null}
                onChange={(event) => entry.setNumber(event.target.value)}
              />
            </label>
            <p id="phone-hint" className="quiet">
              {hint ?? words.numberHint}
            </p>
          </>
        )}
        <PhoneTroubleNote state={state} />
      </form>
      {after}
    </Screen>
  );
}
