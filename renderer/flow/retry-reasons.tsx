/** Why an attempt failed, as the hosted page and the kiosk both show it. */
import type { HostedMessages } from '../../locales/types/hosted.ts';
import { Icon } from '../ui/Icon.tsx';
import { LeadList } from '../ui/Lead.tsx';
import type { FlowState } from './flow.ts';

type Words = Pick<HostedMessages, 'findings' | 'retry'>;

/** What the screen between two attempts says. A check whose finding would help an attacker is reported without details. */
export function retryViewOf(
  { interrupted, snapshot }: Pick<FlowState, 'interrupted' | 'snapshot'>,
  { findings: words, retry }: Words,
) {
  const findings = snapshot?.findings ?? [];
  const known = findings.length === 0 ? (['try_again'] as const) : findings;
  const isUnexplained = !interrupted && known.every((finding) => finding === 'try_again');
  return {
    /** What was wrong with the picture; never empty. */
    reasons: interrupted ? [retry.interrupted] : known.map((finding) => words[finding]),
    /** General advice if nothing specific was wrong with the picture. */
    tips: isUnexplained ? Object.values(retry.tips) : [],
    triesLeft: snapshot?.attempts_left ?? 0,
  };
}

type RetryReasonsProps = { state: FlowState; messages: Words; iconSize?: number };

/** What a kiosk can read aloud is marked. */
export function RetryReasons({ state, messages, iconSize = 22 }: RetryReasonsProps) {
  const { reasons, tips, triesLeft } = retryViewOf(state, messages);
  return (
    <>
      <LeadList className="reasons">
        {reasons.map((reason) => (
          <li key={reason} data-say>
            <Icon name="info" size={iconSize} />
            {reason}
          </li>
        ))}
      </LeadList>
      {tips.length > 0 && (
        <ul className="tips">
          {tips.map((tip) => (
            <li key={tip} data-say>
              {tip}
            </li>
          ))}
        </ul>
      )}
      {triesLeft > 0 && <p className="quiet">{messages.retry.triesLeft({ count: triesLeft })}</p>}
    </>
  );
}
