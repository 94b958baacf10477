/** What a reviewer's decision means for the run that waited for it (decisions §5, rule 8). */
import type { ReviewDecisionName } from '../../contract/console/reviews.ts';
import type { Reason } from '../settling/reasons.ts';

type CaseFacts = {
  reasons: readonly Reason[];
  groups: readonly string[];
  /** The likeliest first, without those who have been erased. */
  suspectIds: readonly string[];
};

export type Verdict = {
  status: 'approved' | 'denied';
  /** If the face is the same, the findings stay recorded. */
  reasons: Reason[];
  groups: string[];
  /** Whose the face is; null for somebody new. */
  personId: string | null;
  /** The face becomes one of the person, new or not. */
  isEnrolled: boolean;
  /** Whom it must not be taken for again. */
  distinctFrom: readonly string[];
};

export function verdictOf(decision: ReviewDecisionName, { reasons, groups, suspectIds }: CaseFacts): Verdict {
  const same = { groups: [...groups], personId: suspectIds[0] ?? null, distinctFrom: [] };
  switch (decision) {
    case 'same_person':
      return { status: 'denied', ...same, reasons: [...reasons, 'reviewer_denied'], isEnrolled: false };
    case 'same_person_allow':
      return { status: 'approved', ...same, reasons: [...reasons], isEnrolled: true };
    case 'different_people':
      return {
        status: 'approved',
        reasons: [],
        groups: [],
        personId: null,
        isEnrolled: true,
        distinctFrom: suspectIds,
      };
  }
}

/** Whether somebody is approved as a new person, of whom everybody enrolled meanwhile must be told apart. */
export const isNewPerson = ({ status, personId }: Verdict): boolean =>
  status === 'approved' && personId === null;
