/** Phone verification: the number first, unless the run has its own; then the code sent to it. */
import type { ReactNode } from 'react';
import type { PhoneState } from '../../../../server/contract/flow.ts';
import { MAX_PHONE_CHARS } from '../../../../server/contract/text-bounds.ts';
import type { Flow, FlowState } from '../../../flow/flow.ts';
import {
  usePhoneChoice,
  type PhoneStep,
  type PhoneStepState,
  phoneWords,
  useNumberEntry,
} from '../../../flow/phone-step.ts';
import { Button } from '../../../ui/Button.tsx';
import { Lead } from '../../../ui/Lead.tsx';
import { useWords } from '../messages-context.ts';
import { Screen } from '../Screen.tsx';
import { PhoneCode, PhoneTroubleNote } from './PhoneCode.tsx';

type PhoneProps = { flow: Flow; state: FlowState; prefill: string };

export function Phone({ flow, state, prefill }: PhoneProps) {
  const words = useWords().messages.phone;
  const isTest = state.snapshot?.is_test ?? false;
  const { phone, asksFor, changeNumber } = usePhoneChoice(state.snapshot?.phone ?? null);
  const { text, codeText, help } = phoneWords(phone, words, state.snapshot?.branding.organiser ?? '');
  if (asksFor === 'number') {
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
      text={codeText}
      help={isTest ? words.testCode : help}
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
  /** Why the number is needed, or where the code of the run's own number comes from. */
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
        <Button type="submit" form="phone-number" look="main" disabled={!entry.canSend}>
          {words.send}
        </Button>
      }
    >
      <Lead>{text}</Lead>
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
