import { expect, it } from 'vitest';
import { isDoubtful, weightOf } from './opinions.ts';

it.each([
  ['same_person', [], false, 'settles'],
  ['same_person', [], true, 'hands_on'],
  ['same_person', ['same_person'], false, 'settles'],
  ['same_person', ['same_person'], true, 'settles'],
  ['same_person', ['same_person_allow'], false, 'hands_on'],
  ['different_people', ['same_person'], true, 'hands_on'],
  ['different_people', ['same_person', 'different_people'], true, 'settles'],
  ['same_person_allow', ['same_person', 'different_people'], false, 'settles'],
] as const)('%s after [%s], second opinion needed: %s → %s', (decision, before, needsSecond, weight) => {
  expect(weightOf(decision, { before, needsSecond })).toBe(weight);
});

it.each([
  [null, 0.6, false],
  [0.59, 0.6, true],
  [0.6, 0.6, false],
  [0.3, 0, false],
])('similarity %s with a second opinion below %s is doubtful: %s', (similarity, below, expected) => {
  expect(isDoubtful(similarity, below)).toBe(expected);
});
