/** The code: pasted, filled in by the phone, or typed. Sent automatically once it is complete. */
import type { PhoneState } from '../../../../server/contract/flow.ts';
import {
  type PhoneStep,
  type PhoneStepState,
  phoneTroubleText,
  useCodeEntry,
} from '../../../flow/phone-step.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Lead } from '../../../ui/Lead.tsx';
import { useWords } from '../messages-context.ts';
import { Screen } from '../Screen.tsx';

type PhoneCodeProps = {
  flow: PhoneStep;
  state: PhoneStepState;
  phone: PhoneState;
  onChange: () => void;
  /** Where the code comes from. */
  text: string;
  /** What to do if it does not come. */
  help: string | null;
};

export function PhoneCode({ flow, state, phone, onChange, text, help }: PhoneCodeProps) {
  const { messages } = useWords();
  const words = messages.phone;
  const entry = useCodeEntry(flow, state, phone);
  return (
    <Screen
      title={words.codeTitle}
      icon="phone"
      actions={
        <>
          <Button type="submit" form="phone-code" look="main" disabled={!entry.canConfirm}>
            {words.confirm}
          </Button>
          <Button look="side" disabled={!entry.canResend} onClick={entry.resend}>
            {entry.resendInS > 0 ? words.resendIn({ seconds: entry.resendInS }) : words.resend}
          </Button>
          {!phone.locked && (
            <Button look="quiet" disabled={state.busy} onClick={onChange}>
              {words.change}
            </Button>
          )}
        </>
      }
    >
      <Lead>{text}</Lead>
      <form
        id="phone-code"
        className="field"
        onSubmit={(event) => {
          event.preventDefault();
          entry.confirm();
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
            value={entry.code}
            readOnly={state.busy}
            aria-describedby="phone-trouble"
            aria-invalid={state.phoneTrouble !== null}
            onChange={(event) => entry.enter(event.target.value)}
          />
        </label>
        <PhoneTroubleNote state={state} />
      </form>
      {help !== null && <p className="quiet">{help}</p>}
    </Screen>
  );
}

/** An error in a number or a code, announced when it appears. */
export function PhoneTroubleNote({ state: { phoneTrouble } }: { state: PhoneStepState }) {
  const { messages, language } = useWords();
  return (
    <p id="phone-trouble" role="alert" className="trouble">
      {phoneTrouble && (
        <>
          <Icon name="info" />
          <span data-phone-trouble={phoneTrouble.trouble}>
            {phoneTroubleText(phoneTrouble, messages.phone, language)}
          </span>
        </>
      )}
    </p>
  );
}
