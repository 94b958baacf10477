import { type Reason, REASONS } from '../settling/reasons.ts';

/** Contract, confirmation `verified`: the verification was approved and nothing has ended it since. */
export function isVerified(pass: {
  status: 'approved' | 'denied';
  lockedAt: number | null;
  revokedAt: number | null;
}): boolean {
  return pass.status === 'approved' && pass.lockedAt === null && pass.revokedAt === null;
}

/** Reasons that refer to an earlier pass of the same person. */
const PASSED_BEFORE: readonly string[] = [
  'limit_reached',
  'collision',
  'collision_company',
  'duplicate_account',
] satisfies readonly Reason[];

export const hasPassedBefore = (reasons: readonly string[]): boolean =>
  reasons.some((reason) => PASSED_BEFORE.includes(reason));

const FINAL: readonly string[] = [
  'reviewer_denied',
  'manual_override',
  'not_recognised',
] satisfies readonly Reason[];

/** A reviewer or an admin decided, not the rules, or the guest was on the way out: staff let nobody in then. */
export const isFinalDenial = (reasons: readonly string[]): boolean =>
  reasons.some((reason) => FINAL.includes(reason));

/** What a result becomes when an operator replaces it (decisions §3.11, `manual_override`). */
type Verdict = {
  status: 'approved' | 'denied';
  reasons: readonly Reason[];
  groups: readonly string[];
};

/**
 * A denial keeps the findings. An approval does not, because they no longer count against the run; its one reason
 * says who approved it.
 */
export function overridden(before: Verdict, decision: 'approve' | 'deny'): Verdict {
  if (decision === 'approve') return { status: 'approved', reasons: ['manual_override'], groups: [] };
  const reasons = REASONS.filter((reason) => reason === 'manual_override' || before.reasons.includes(reason));
  return { status: 'denied', reasons, groups: before.groups };
}
