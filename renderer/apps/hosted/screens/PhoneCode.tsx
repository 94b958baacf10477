/** Takes the code: pasted, filled in by the phone, or typed; sent by itself once it is whole. */
import { useEffect, useState } from 'react';
import type { PhoneState } from '../../../../server/contract/flow.ts';
import { CODE_LENGTH, codeDigits, resendWaitS } from '../../../flow/code-entry.ts';
import { useWords } from '../messages-context.ts';
import { Screen } from '../Screen.tsx';
import type { PhoneStep, PhoneStepState } from './phone-step.ts';
import { PhoneTroubleNote } from './PhoneTroubleNote.tsx';

export type PhoneCodeProps = {
  flow: PhoneStep;
  state: PhoneStepState;
  phone: PhoneState;
  onChange: () => void;
  /** Where to find the code, in place of the ordinary words. */
  help?: string;
};

export function PhoneCode({ flow, state, phone, onChange, help }: PhoneCodeProps) {
  const { messages } = useWords();
  const words = messages.phone;
  const [code, setCode] = useState('');
  const waitS = useCountdown(() => resendWaitS(phone, Date.now()));
  const { phoneTrouble } = state;
  // A refused code is no use any more: the field is free for the next one, until the person types.
  const [refused, setRefused] = useState(phoneTrouble);
  if (phoneTrouble !== refused) {
    setRefused(phoneTrouble);
    if (phoneTrouble?.trouble === 'wrong_code') setCode('');
  }
  const enter = (text: string) => {
    const digits = codeDigits(text);
    setCode(digits);
    if (digits.length === CODE_LENGTH && digits !== code) flow.confirmCode(digits);
  };
  return (
    <Screen
      title={words.codeTitle}
      icon="phone"
      actions={
        <>
          <button
            type="submit"
            form="phone-code"
            className="button button--main"
            disabled={state.busy || code.length < CODE_LENGTH}
          >
            {words.confirm}
          </button>
          <button
            type="button"
            className="button button--side"
            disabled={state.busy || waitS > 0}
            onClick={() => flow.sendCode(null)}
          >
            {waitS > 0 ? words.resendIn(waitS) : words.resend}
          </button>
          {!phone.locked && (
            <button type="button" className="button button--quiet" disabled={state.busy} onClick={onChange}>
              {words.change}
            </button>
          )}
        </>
      }
    >
      <p className="lead">{words.codeText(phone.hint ?? '')}</p>
      <form
        id="phone-code"
        className="field"
        onSubmit={(event) => {
          event.preventDefault();
          if (code.length === CODE_LENGTH) flow.confirmCode(code);
        }}
      >
        <label>
          <span>{words.codeLabel}</span>
          <input
            name="code"
            className="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
            value={code}
            readOnly={state.busy}
            aria-describedby="phone-trouble"
            aria-invalid={phoneTrouble !== null}
            onChange={(event) => enter(event.target.value)}
          />
        </label>
        <PhoneTroubleNote state={state} />
      </form>
      <p className="quiet">{help ?? words.help}</p>
    </Screen>
  );
}

/** Whole seconds that go down to 0 by themselves. */
function useCountdown(startS: () => number): number {
  const [leftS, setLeftS] = useState(startS);
  useEffect(() => {
    if (leftS <= 0) return;
    const timer = setTimeout(() => setLeftS(leftS - 1), 1_000);
    return () => clearTimeout(timer);
  }, [leftS]);
  return leftS;
}
