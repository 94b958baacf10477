/** A demo that has everything, but little of it. */
import { SIZES } from './size.ts';

export const MODEL = { id: 'test-model', embeddingLength: 8, thresholds: { near: 0.45, samePerson: 0.55 } };
export const LITTLE = {
  size: { ...SIZES.small, people: 60, runs: 240, webhookCalls: 18, testRuns: 20 },
  model: MODEL,
  actor: 'cli',
} as const;
