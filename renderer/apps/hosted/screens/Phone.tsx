/** Phone verification: the number first, unless the run has its own; then the code sent to it. */
import type { Flow, FlowState } from '../../../flow/flow.ts';
import { usePhoneChoice } from '../../../flow/phone-step.ts';
import { useWords } from '../messages-context.ts';
import { PhoneCode } from './PhoneCode.tsx';
import { PhoneNumber } from './PhoneNumber.tsx';

export type PhoneProps = { flow: Flow; state: FlowState; prefill: string };

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
