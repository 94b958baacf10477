/** Proving a phone: the number first, unless the run has its own; then the code that was sent to it. */
import { useState } from 'react';
import type { PhoneState } from '../../../../server/contract/flow.ts';
import type { Flow, FlowState } from '../../../flow/flow.ts';
import { useWords } from '../messages-context.ts';
import { PhoneCode } from './PhoneCode.tsx';
import { PhoneNumber } from './PhoneNumber.tsx';

export type PhoneProps = { flow: Flow; state: FlowState; prefill: string };

const NONE: PhoneState = { locked: false, hint: null, code_sent_at: null, resend_at: null, tries_left: 0 };

export function Phone({ flow, state, prefill }: PhoneProps) {
  const words = useWords().messages.phone;
  const phone = state.snapshot?.phone ?? NONE;
  const isTest = state.snapshot?.is_test ?? false;
  const sentAt = phone.code_sent_at;
  /** The sent code that the person put aside to change the number. */
  const [changed, setChanged] = useState<string | null>(null);
  if (sentAt === null || (changed === sentAt && !phone.locked)) {
    const text = words.text(state.snapshot?.branding.organiser ?? '');
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
      key={sentAt}
      flow={flow}
      state={state}
      phone={phone}
      {...(isTest ? { help: words.testCode } : {})}
      onChange={() => setChanged(sentAt)}
    />
  );
}
