import { expect, test } from 'vitest';
import fc from 'fast-check';
import { LIVENESS_STEPS } from '../../contract/flow.ts';
import { chooseSteps, STEPS_ASKED, type ChallengeMode } from './challenge.ts';

const modes = fc.constantFrom<ChallengeMode>('standard', 'strict');
const randoms = fc
  .infiniteStream(fc.nat())
  .map((stream) => (n: number) => (stream.next().value as number) % n);

test('standard asks three steps, strict five, none twice, a turn among them', () => {
  fc.assert(
    fc.property(randoms, modes, (random, mode) => {
      const steps = chooseSteps(random, mode);
      expect(steps).toHaveLength(STEPS_ASKED[mode]);
      expect(new Set(steps).size).toBe(steps.length);
      expect(steps.some((step) => step === 'turn_left' || step === 'turn_right')).toBe(true);
    }),
  );
});

test('every step comes at every place', () => {
  const seen = new Set<string>();
  for (let round = 0; round < 2_000; round++) {
    chooseSteps((n) => Math.floor(Math.random() * n), 'standard').forEach((step, place) =>
      seen.add(`${place} ${step}`),
    );
  }
  expect(seen.size).toBe(3 * LIVENESS_STEPS.length);
});

test('the dice decide alone: the same numbers give the same steps', () => {
  const dice = () => {
    let roll = 11;
    return (n: number) => (roll = (roll * 17 + 5) % 101) % n;
  };
  expect(chooseSteps(dice(), 'strict')).toEqual(chooseSteps(dice(), 'strict'));
});
