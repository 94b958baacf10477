/** Phone verification at the kiosk: the number by keys, unless the run has its own; then the code sent to it. */
import type { ReactNode } from 'react';
import {
  type PhoneChoice,
  phoneWords,
  phoneTroubleText,
  useCodeEntry,
  useNumberEntry,
  usePhoneChoice,
} from '../../../flow/phone-step.ts';
import { CODE_DIGITS } from '../../../../server/contract/flow.ts';
import type { FlowState } from '../../../flow/flow.ts';
import { Button } from '../../../ui/Button.tsx';
import { Lead } from '../../../ui/Lead.tsx';
import { useKiosk } from '../context.ts';
import { DIGITS, Keys } from '../parts/Keys.tsx';
import { Screen } from '../parts/Screen.tsx';
import type { Visit } from '../visit.ts';

/** A plus sign and the 15 digits of the longest number (E.164). */
const NUMBER_LENGTH = 16;
const NUMBER_KEYS = [...DIGITS.slice(0, 9), '+', '0'];

export function Phone({ visit, flow }: { visit: Visit; flow: FlowState }) {
  const choice = usePhoneChoice(flow.snapshot?.phone ?? null);
  const props = { visit, flow, choice };
  return choice.asksFor === 'number' ? (
    <PhoneNumber {...props} />
  ) : (
    <PhoneCode key={choice.phone.code_sent_at} {...props} />
  );
}

type AskProps = { visit: Visit; flow: FlowState; choice: PhoneChoice };

function PhoneNumber({ visit, flow, choice: { phone } }: AskProps) {
  const words = useKiosk().messages.phone;
  const entry = useNumberEntry(visit.flow, flow, phone, '+');
  const isTest = flow.snapshot?.is_test ?? false;
  const { text } = phoneWords(phone, words, flow.snapshot?.branding.organiser ?? '');
  return (
    <Entry
      title={words.title}
      text={isTest && !phone.locked ? words.testNumber : text}
      label={words.numberLabel}
      keys={phone.locked ? null : NUMBER_KEYS}
      value={entry.number}
      maxLength={NUMBER_LENGTH}
      onChange={(typed) => entry.setNumber(typed.replace(/[^+\d]/g, ''))}
      flow={flow}
    >
      <Button look="main" disabled={!entry.canSend} onClick={entry.send}>
        {words.send}
      </Button>
    </Entry>
  );
}

function PhoneCode({ visit, flow, choice: { phone, changeNumber } }: AskProps) {
  const words = useKiosk().messages.phone;
  const entry = useCodeEntry(visit.flow, flow, phone);
  const isTest = flow.snapshot?.is_test ?? false;
  return (
    <Entry
      title={words.codeTitle}
      text={isTest ? words.testCode : phoneWords(phone, words, '').codeText}
      label={words.codeLabel}
      keys={DIGITS}
      value={entry.code}
      maxLength={CODE_DIGITS}
      onChange={entry.enter}
      flow={flow}
    >
      <Button look="main" disabled={!entry.canConfirm} onClick={entry.confirm}>
        {words.confirm}
      </Button>
      <Button look="side" disabled={!entry.canResend} onClick={entry.resend}>
        {entry.resendInS > 0 ? words.resendIn({ seconds: entry.resendInS }) : words.resend}
      </Button>
      {!phone.locked && (
        <Button look="side" disabled={flow.busy} onClick={changeNumber}>
          {words.change}
        </Button>
      )}
    </Entry>
  );
}

type EntryProps = {
  title: string;
  text: string;
  label: string;
  /** Null if nothing was typed. */
  keys: readonly string[] | null;
  value: string;
  maxLength: number;
  onChange: (value: string) => void;
  flow: FlowState;
  children: ReactNode;
};

/** A field with on-screen keys; `children` are its actions. */
function Entry({ title, text, label, keys, value, maxLength, onChange, flow, children }: EntryProps) {
  const { kiosk, messages, words, language } = useKiosk();
  const { phoneTrouble } = flow;
  return (
    <Screen
      title={title}
      icon="phone"
      actions={
        <>
          {keys !== null && (
            <Keys
              keys={keys}
              value={value}
              maxLength={maxLength}
              isDisabled={flow.busy}
              onChange={onChange}
            />
          )}
          <div className="row">
            {children}
            <Button look="side" onClick={() => kiosk.askStaff(true)}>
              {words.consent.askStaff}
            </Button>
          </div>
        </>
      }
    >
      <Lead data-say>{text}</Lead>
      {keys !== null && (
        <input
          className="field"
          aria-label={label}
          inputMode="none"
          autoComplete="off"
          value={value}
          maxLength={maxLength}
          readOnly={flow.busy}
          aria-invalid={phoneTrouble !== null}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      <p className="problem" role="alert" data-phone-trouble={phoneTrouble?.trouble}>
        {phoneTrouble && phoneTroubleText(phoneTrouble, messages.phone, language)}
      </p>
    </Screen>
  );
}
