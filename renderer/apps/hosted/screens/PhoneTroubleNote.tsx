/** What is wrong with a number or a code, read out as it appears. */
import { Icon } from '../../../ui/Icon.tsx';
import { useWords } from '../messages-context.ts';
import { waitInWords } from '../wait.ts';
import type { PhoneStepState } from './phone-step.ts';

export function PhoneTroubleNote({ state: { phoneTrouble } }: { state: PhoneStepState }) {
  const { messages, language } = useWords();
  const words = messages.phone;
  const inWords = ({ trouble, retryAfterS }: NonNullable<PhoneStepState['phoneTrouble']>) =>
    trouble === 'too_many_codes' && retryAfterS !== null
      ? words.tooManyUntil(waitInWords(retryAfterS, language))
      : words.trouble[trouble];
  return (
    <p id="phone-trouble" role="alert" className="trouble">
      {phoneTrouble && (
        <>
          <Icon name="info" />
          <span data-phone-trouble={phoneTrouble.trouble}>
            {inWords(phoneTrouble)}{' '}
            {phoneTrouble.triesLeft !== null &&
              phoneTrouble.triesLeft > 0 &&
              words.triesLeft(phoneTrouble.triesLeft)}
          </span>
        </>
      )}
    </p>
  );
}
