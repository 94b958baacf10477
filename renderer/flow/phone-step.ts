/** The phone step of a check: number, code, another code, and errors of both. Apps only render it. */
import { useEffect, useState } from 'react';
import type { PhoneState } from '../../server/contract/flow.ts';
import type { HostedMessages } from '../../locales/types/hosted.ts';
import { waitInWords } from '../i18n/language.ts';
import { CODE_DIGITS } from '../../server/contract/flow.ts';
import { codeDigits } from './digits.ts';
import type { Flow, FlowState } from './flow.ts';

/** A run and the person's own page verify a number in the same way. */
export type PhoneStep = Pick<Flow, 'sendCode' | 'confirmCode'>;
export type PhoneStepState = Pick<FlowState, 'busy' | 'phoneTrouble'>;

export const NO_PHONE: PhoneState = {
  locked: false,
  hint: null,
  code_sent_at: null,
  resend_at: null,
  resend_in_ms: 0,
  tries_left: 0,
};

export type PhoneChoice = {
  phone: PhoneState;
  /** Whether the number is requested, or the code that was sent to it. */
  asksFor: 'number' | 'code';
  /** Back from the code to the number. */
  changeNumber: () => void;
};

/** Which half of the step is shown: the number, unless a code was sent that the person has not dismissed. */
export function usePhoneChoice(phone: PhoneState | null): PhoneChoice {
  const known = phone ?? NO_PHONE;
  const { code_sent_at: sentAt, locked } = known;
  const [replacedAt, setReplacedAt] = useState<string | null>(null);
  return {
    phone: known,
    asksFor: sentAt === null || (replacedAt === sentAt && !locked) ? 'number' : 'code',
    changeNumber: () => setReplacedAt(sentAt),
  };
}

type NumberEntry = {
  number: string;
  setNumber: (number: string) => void;
  canSend: boolean;
  send: () => void;
};

/** @param first initial value of the field */
export function useNumberEntry(
  flow: Pick<PhoneStep, 'sendCode'>,
  { busy }: PhoneStepState,
  { locked }: PhoneState,
  first: string,
): NumberEntry {
  const [number, setNumber] = useState(first);
  // A country code's plus sign alone is not a number.
  const isReady = locked || number.trim().replace(/^\+/, '') !== '';
  return {
    number,
    setNumber,
    canSend: isReady && !busy,
    send: () => {
      if (isReady) flow.sendCode(locked ? null : number.trim());
    },
  };
}

type CodeEntry = {
  code: string;
  /** Accepts typed or pasted text, and sends the code once it is complete. */
  enter: (text: string) => void;
  canConfirm: boolean;
  confirm: () => void;
  /** Seconds until another code may be sent; 0 if it may. */
  resendInS: number;
  canResend: boolean;
  resend: () => void;
};

/** Use it in a component keyed by `code_sent_at`: a new code starts with an empty field. */
export function useCodeEntry(
  flow: PhoneStep,
  { busy, phoneTrouble }: PhoneStepState,
  phone: PhoneState,
): CodeEntry {
  const [code, setCode] = useState('');
  const resendInS = useCountdown(() => Math.ceil(phone.resend_in_ms / 1_000));
  // A refused code is useless: clears the field for the next one.
  const [refused, setRefused] = useState(phoneTrouble);
  if (phoneTrouble !== refused) {
    setRefused(phoneTrouble);
    if (phoneTrouble?.trouble === 'wrong_code') setCode('');
  }
  const isWhole = code.length === CODE_DIGITS;
  return {
    code,
    enter: (text) => {
      const digits = codeDigits(text);
      setCode(digits);
      if (digits.length === CODE_DIGITS && digits !== code) flow.confirmCode(digits);
    },
    canConfirm: isWhole && !busy,
    confirm: () => {
      if (isWhole) flow.confirmCode(code);
    },
    resendInS,
    canResend: resendInS === 0 && !busy,
    resend: () => flow.sendCode(null),
  };
}

/** Whole seconds that count down to 0. */
function useCountdown(startS: () => number): number {
  const [leftS, setLeftS] = useState(startS);
  useEffect(() => {
    if (leftS <= 0) return;
    const timer = setTimeout(() => setLeftS(leftS - 1), 1_000);
    return () => clearTimeout(timer);
  }, [leftS]);
  return leftS;
}

/** What the person reads about the code: it comes by text message, or staff read it out. */
export function phoneWords(
  { locked, hint, read_out: readOut }: PhoneState,
  messages: HostedMessages['phone'],
  organiser: string,
): { text: string; codeText: string; help: string | null } {
  const number = hint ?? '';
  const { text, lockedText, codeText } = readOut ? messages.readOut : messages;
  return {
    text: locked ? lockedText({ number }) : text({ organiser }),
    codeText: codeText({ number }),
    help: readOut ? null : messages.help,
  };
}

/** The error in a number or a code, and the remaining tries. */
export function phoneTroubleText(
  { trouble, triesLeft, retryAfterS }: NonNullable<FlowState['phoneTrouble']>,
  messages: HostedMessages['phone'],
  language: string,
): string {
  const text =
    trouble === 'too_many_codes' && retryAfterS !== null
      ? messages.tooManyUntil({ when: waitInWords(retryAfterS, language) })
      : messages.trouble[trouble];
  return triesLeft !== null && triesLeft > 0 ? `${text} ${messages.triesLeft({ count: triesLeft })}` : text;
}
