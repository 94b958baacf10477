/** Proving a phone at the kiosk: the number by keys, unless the run has its own; then the code that was sent to it. */
import { useState } from 'react';
import { CODE_LENGTH } from '../../../flow/code-entry.ts';
import type { FlowState } from '../../../flow/flow.ts';
import { useKiosk } from '../context.ts';
import { DIGITS, Keys } from '../parts/Keys.tsx';
import { Screen } from '../parts/Screen.tsx';
import type { Visit } from '../visit.ts';
import { AskStaff } from './AskStaff.tsx';

/** Digits of a number with country code at most (E.164). */
const NUMBER_LENGTH = 16;

export function Phone({ visit, flow }: { visit: Visit; flow: FlowState }) {
  const { messages, words } = useKiosk();
  const phone = flow.snapshot?.phone ?? null;
  const sentAt = phone?.code_sent_at ?? null;
  const isLocked = phone?.locked ?? false;
  const [isAsking, setAsking] = useState(false);
  /** The sent code that was put aside to change the number. */
  const [changed, setChanged] = useState<string | null>(null);
  const [number, setNumber] = useState('+');
  const [code, setCode] = useState('');
  if (isAsking) return <AskStaff visit={visit} flow={flow} onBack={() => setAsking(false)} />;

  const isNumber = sentAt === null || (changed === sentAt && !isLocked);
  const trouble = flow.phoneTrouble;
  const isTest = flow.snapshot?.is_test ?? false;
  const hint = phone?.hint ?? '';
  const ask = isNumber
    ? {
        title: messages.phone.title,
        text: isLocked
          ? messages.phone.lockedText(hint)
          : isTest
            ? messages.phone.testNumber
            : messages.phone.text(flow.snapshot?.branding.organiser ?? ''),
        label: messages.phone.numberLabel,
        value: number,
        maxLength: NUMBER_LENGTH,
        change: setNumber,
        canSend: isLocked || number.length > 1,
        sendLabel: messages.phone.send,
        send: () => visit.flow.sendCode(isLocked ? null : number),
      }
    : {
        title: messages.phone.codeTitle,
        text: isTest ? messages.phone.testCode : messages.phone.codeText(hint),
        label: messages.phone.codeLabel,
        value: code,
        maxLength: CODE_LENGTH,
        change: setCode,
        canSend: code.length === CODE_LENGTH,
        sendLabel: messages.phone.confirm,
        send: () => {
          visit.flow.confirmCode(code);
          setCode('');
        },
      };
  const hasKeys = !(isNumber && isLocked);
  return (
    <Screen
      title={ask.title}
      icon="phone"
      actions={
        <>
          {hasKeys && (
            <Keys
              keys={isNumber ? [...DIGITS.slice(0, 9), '+', '0'] : DIGITS}
              value={ask.value}
              maxLength={ask.maxLength}
              isDisabled={flow.busy}
              onChange={ask.change}
            />
          )}
          <div className="row">
            <button
              type="button"
              className="button button--main"
              disabled={flow.busy || !ask.canSend}
              onClick={ask.send}
            >
              {ask.sendLabel}
            </button>
            {!isNumber && !isLocked && (
              <button type="button" className="button button--side" onClick={() => setChanged(sentAt)}>
                {messages.phone.change}
              </button>
            )}
            <button type="button" className="button button--side" onClick={() => setAsking(true)}>
              {words.consent.askStaff}
            </button>
          </div>
        </>
      }
    >
      <p className="lead" data-say>
        {ask.text}
      </p>
      {hasKeys && (
        <input
          className="field"
          aria-label={ask.label}
          inputMode="none"
          autoComplete="off"
          value={ask.value}
          maxLength={ask.maxLength}
          aria-invalid={trouble !== null}
          onChange={(event) => ask.change(event.target.value.replace(/[^+\d]/g, ''))}
        />
      )}
      <p className="problem" role="alert">
        {trouble === null ? '' : messages.phone.trouble[trouble.trouble]}
      </p>
    </Screen>
  );
}
