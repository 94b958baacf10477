/** Why an attempt failed, as the hosted page and the kiosk both show it. */
import type { HostedMessages } from '../../locales/types/hosted.ts';
import { Icon } from '../ui/Icon.tsx';
import { LeadList } from '../ui/Lead.tsx';
import type { FlowState } from './flow.ts';

/** Why an attempt failed, in words for the person; never empty. */
export function retryReasons(
  { interrupted, snapshot }: Pick<FlowState, 'interrupted' | 'snapshot'>,
  { findings: words, retry }: Pick<HostedMessages, 'findings' | 'retry'>,
): string[] {
  if (interrupted) return [retry.interrupted];
  const findings = snapshot?.findings ?? [];
  return findings.length === 0 ? [words.try_again] : findings.map((finding) => words[finding]);
}

/** A check whose finding would help an attacker is reported without details. */
const isUnexplained = ({ interrupted, snapshot }: Pick<FlowState, 'interrupted' | 'snapshot'>): boolean =>
  !interrupted && (snapshot?.findings ?? []).every((finding) => finding === 'try_again');

type RetryView = {
  /** What was wrong with the picture. */
  reasons: string[];
  /** General advice if nothing specific was wrong with the picture. */
  tips: string[];
  triesLeft: number;
};

/** The screen between two attempts. */
export const retryViewOf = (
  state: Pick<FlowState, 'interrupted' | 'snapshot'>,
  messages: Parameters<typeof retryReasons>[1],
): RetryView => ({
  reasons: retryReasons(state, messages),
  tips: isUnexplained(state) ? Object.values(messages.retry.tips) : [],
  triesLeft: state.snapshot?.attempts_left ?? 0,
});

type RetryReasonsProps = {
  state: FlowState;
  messages: Parameters<typeof retryReasons>[1];
  iconSize?: number;
};

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
