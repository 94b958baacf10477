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
import { Lead } from '../../../ui/Lead.tsx';
import { useKiosk } from '../context.ts';
import { DIGITS, Keys } from '../parts/Keys.tsx';
import { Screen } from '../parts/Screen.tsx';
import type { Visit } from '../visit.ts';

/** A plus sign and the 15 digits of the longest number (E.164). */
const NUMBER_LENGTH = 16;
const NUMBER_KEYS = [...DIGITS.slice(0, 9), '+', '0'];

export function Phone({ visit, flow }: { visit: Visit; flow: FlowState }) {
  const { kiosk } = useKiosk();
  const choice = usePhoneChoice(flow.snapshot?.phone ?? null);
  const props = { visit, flow, choice, onAskStaff: () => kiosk.askStaff(true) };
  return choice.asksFor === 'number' ? (
    <PhoneNumber {...props} />
  ) : (
    <PhoneCode key={choice.phone.code_sent_at} {...props} />
  );
}

type AskProps = { visit: Visit; flow: FlowState; choice: PhoneChoice; onAskStaff: () => void };

function PhoneNumber({ visit, flow, choice: { phone }, onAskStaff }: AskProps) {
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
      onAskStaff={onAskStaff}
    >
      <button type="button" className="button button--main" disabled={!entry.canSend} onClick={entry.send}>
        {words.send}
      </button>
    </Entry>
  );
}

function PhoneCode({ visit, flow, choice: { phone, changeNumber }, onAskStaff }: AskProps) {
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
      onAskStaff={onAskStaff}
    >
      <button
        type="button"
        className="button button--main"
        disabled={!entry.canConfirm}
        onClick={entry.confirm}
      >
        {words.confirm}
      </button>
      <button
        type="button"
        className="button button--side"
        disabled={!entry.canResend}
        onClick={entry.resend}
      >
        {entry.resendInS > 0 ? words.resendIn({ seconds: entry.resendInS }) : words.resend}
      </button>
      {!phone.locked && (
        <button type="button" className="button button--side" disabled={flow.busy} onClick={changeNumber}>
          {words.change}
        </button>
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
  onAskStaff: () => void;
  children: ReactNode;
};

/** A field with on-screen keys; `children` are its actions. */
function Entry({
  title,
  text,
  label,
  keys,
  value,
  maxLength,
  onChange,
  flow,
  onAskStaff,
  children,
}: EntryProps) {
  const { messages, words, language } = useKiosk();
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
            <button type="button" className="button button--side" onClick={onAskStaff}>
              {words.consent.askStaff}
            </button>
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
