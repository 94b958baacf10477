import type { HostedMessages } from '../../locales/types/hosted.ts';
import type { FlowState } from './flow.ts';

/** Why an attempt did not pass, in words for the person; never empty. */
export function retryReasons(
  { interrupted, snapshot }: Pick<FlowState, 'interrupted' | 'snapshot'>,
  { findings: words, retry }: Pick<HostedMessages, 'findings' | 'retry'>,
): string[] {
  if (interrupted) return [retry.interrupted];
  const findings = snapshot?.findings ?? [];
  return findings.length === 0 ? [words.try_again] : findings.map((finding) => words[finding]);
}

export type RetryView = {
  /** What to change about the picture. */
  reasons: string[];
  triesLeft: number;
};

/** The screen between two attempts. */
export const retryViewOf = (
  state: Pick<FlowState, 'interrupted' | 'snapshot'>,
  messages: Parameters<typeof retryReasons>[1],
): RetryView => ({
  reasons: retryReasons(state, messages),
  triesLeft: state.snapshot?.attempts_left ?? 0,
});
