/** What is wrong with a number or a code, read out as it appears. */
import { Icon } from '../../ui/Icon.tsx';
import { useWords } from '../messages-context.ts';
import type { PhoneStepState } from './phone-step.ts';

export function PhoneTroubleNote({ state: { phoneTrouble } }: { state: PhoneStepState }) {
  const words = useWords().messages.phone;
  return (
    <p id="phone-trouble" role="alert" className="trouble">
      {phoneTrouble && (
        <>
          <Icon name="info" />
          <span data-phone-trouble={phoneTrouble.trouble}>
            {words.trouble[phoneTrouble.trouble]}{' '}
            {phoneTrouble.triesLeft !== null &&
              phoneTrouble.triesLeft > 0 &&
              words.triesLeft(phoneTrouble.triesLeft)}
          </span>
        </>
      )}
    </p>
  );
}
