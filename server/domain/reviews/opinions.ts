/** When a case needs a second reviewer, and what each decision then does. */
import type { ReviewDecisionName } from '../../contract/console/reviews.ts';

/** Two reviewers who differ are enough to know that an admin has to decide. */
export const MOST_OPINIONS = 2;

/** `settles`: the decision counts; `hands_on`: it is an opinion, and somebody else decides. */
export type Weight = 'settles' | 'hands_on';

/**
 * @param before opinions on the case
 * @param needsSecond the reviewer asks for a second opinion, or the case is doubtful
 */
export function weightOf(
  decision: ReviewDecisionName,
  { before, needsSecond }: { before: readonly ReviewDecisionName[]; needsSecond: boolean },
): Weight {
  const [first] = before;
  if (first === undefined) return needsSecond ? 'hands_on' : 'settles';
  if (before.length >= MOST_OPINIONS) return 'settles';
  return decision === first ? 'settles' : 'hands_on';
}

/** @param below cosine of the admin's setting; 0 if no case counts as doubtful */
export const isDoubtful = (similarity: number | null, below: number): boolean =>
  similarity !== null && similarity < below;
