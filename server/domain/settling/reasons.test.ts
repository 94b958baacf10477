import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { REVIEW_REASONS } from '../../contract/console/reviews.ts';
import { REASONS } from './reasons.ts';

const textOf = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');

it('every reason has words for staff, and its meaning in the documentation', () => {
  const words = textOf('locales/en/outcomes.json');
  const meanings = textOf('docs/reference/events.md');
  expect(REASONS.filter((reason) => !words.includes(`"reasons.${reason}"`))).toEqual([]);
  expect(REASONS.filter((reason) => !meanings.includes(`| \`${reason}\` `))).toEqual([]);
});

it('every reason that needs a review has a sentence for the reviewer', () => {
  const words = textOf('locales/en/reviews.json');
  expect(REVIEW_REASONS.filter((reason) => !words.includes(`"findings.${reason}"`))).toEqual([]);
});
