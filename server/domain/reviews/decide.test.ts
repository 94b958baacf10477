import { expect, it } from 'vitest';
import type { ReviewDecisionName } from '../../contract/console/reviews.ts';
import { isNewPerson, type Verdict, verdictOf } from './decide.ts';

const FOUND = { reasons: ['collision'], groups: ['friday'], suspectIds: ['ana', 'berta'] } as const;
const NOBODY = { ...FOUND, suspectIds: [] };

it.each<[ReviewDecisionName, typeof FOUND | typeof NOBODY, Verdict, isNew: boolean]>([
  [
    'same_person',
    FOUND,
    {
      ...{ status: 'denied', reasons: ['collision', 'reviewer_denied'], groups: ['friday'] },
      ...{ personId: 'ana', isEnrolled: false, distinctFrom: [] },
    },
    false,
  ],
  [
    'same_person_allow',
    FOUND,
    {
      ...{ status: 'approved', reasons: ['collision'], groups: ['friday'] },
      ...{ personId: 'ana', isEnrolled: true, distinctFrom: [] },
    },
    false,
  ],
  [
    'different_people',
    FOUND,
    {
      ...{ status: 'approved', reasons: [], groups: [] },
      ...{ personId: null, isEnrolled: true, distinctFrom: ['ana', 'berta'] },
    },
    true,
  ],
  [
    'same_person_allow',
    NOBODY,
    {
      ...{ status: 'approved', reasons: ['collision'], groups: ['friday'] },
      ...{ personId: null, isEnrolled: true, distinctFrom: [] },
    },
    true,
  ],
  [
    'same_person',
    NOBODY,
    {
      ...{ status: 'denied', reasons: ['collision', 'reviewer_denied'], groups: ['friday'] },
      ...{ personId: null, isEnrolled: false, distinctFrom: [] },
    },
    false,
  ],
])('%s, with the findings of %o', (decision, found, verdict, isNew) => {
  expect(verdictOf(decision, found)).toEqual(verdict);
  expect(isNewPerson(verdict)).toBe(isNew);
});
