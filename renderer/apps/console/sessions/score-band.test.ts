import { expect, test } from 'vitest';
import { bandOf } from './score-band.ts';

test('a score is in the band that the API says of it', () => {
  expect([0, 29, 30, 69, 70, 100].map(bandOf)).toEqual(['low', 'low', 'medium', 'medium', 'high', 'high']);
});
