/** Logistic regression of the signals' weights: balanced kinds, a pull toward 0, and no weight below 0. */
import { ATTACK_SIGNALS, type AttackSignal, type AttackSignals } from '../../server/domain/attack/signals.ts';
import { scaled } from '../../server/domain/attack/score.ts';

export type Example = { kind: string; signals: AttackSignals };
export type Fit = { bias: number; weights: Record<AttackSignal, number> };

const ROUNDS = 4_000;
const STEP = 0.4;
/** Half of the genuine weight; small sets are overfitted without it. */
const PULL = 0.01;

export function fitWeights(examples: readonly Example[]): Fit {
  const counts = new Map<string, number>();
  for (const { kind } of examples) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const attackKinds = Math.max(1, counts.size - 1);
  const rows = examples.map(({ kind, signals }) => ({
    values: ATTACK_SIGNALS.map((signal) => scaled(signal, signals[signal])),
    target: kind === 'genuine' ? 0 : 1,
    // Genuine and attacks weigh the same, and so does each kind of attack.
    share: 0.5 / (counts.get(kind) ?? 1) / (kind === 'genuine' ? 1 : attackKinds),
  }));
  let bias = 0;
  let weights = ATTACK_SIGNALS.map(() => 0);
  for (let round = 0; round < ROUNDS; round++) {
    const slopes = weights.map((weight) => PULL * weight);
    let biasSlope = 0;
    for (const { values, target, share } of rows) {
      const sum = values.reduce((total, value, i) => total + value * (weights[i] ?? 0), bias);
      const error = share * (1 / (1 + Math.exp(-sum)) - target);
      biasSlope += error;
      values.forEach((value, i) => (slopes[i] = (slopes[i] ?? 0) + error * value));
    }
    bias -= STEP * biasSlope;
    weights = weights.map((weight, i) => Math.max(0, weight - STEP * (slopes[i] ?? 0)));
  }
  const named = ATTACK_SIGNALS.map((signal, i) => [signal, weights[i] ?? 0] as const);
  return { bias, weights: Object.fromEntries(named) as Fit['weights'] };
}
