import { expect, test } from 'vitest';
import { bandOf } from './Score.tsx';

test('a score has the band that the API gives it', () => {
  expect([0, 29, 30, 69, 70, 100].map(bandOf)).toEqual(['low', 'low', 'medium', 'medium', 'high', 'high']);
});
