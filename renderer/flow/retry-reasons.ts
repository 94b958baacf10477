import type { HostedMessages } from '../../locales/types/hosted.ts';
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
