/** Logistic regression of the signals' weights: balanced kinds, regularised, no weight below 0 and no bias above. */
import {
  ATTACK_SIGNALS,
  type AttackSignal,
  type AttackSignals,
} from '../../server/domain/capture/attack/signals.ts';
import type { ChallengeMode } from '../../server/domain/companies/verification-config.ts';
import { scaled } from '../../server/domain/capture/attack/score.ts';

type Example = { kind: string; signals: AttackSignals };
type Fit = { bias: number; weights: Record<AttackSignal, number> };

const ROUNDS = 4_000;
const STEP = 0.4;
/** Without it, small sets are overfitted. */
const PULL = 0.01;

export function fitWeights(examples: readonly Example[]): Fit {
  const counts = new Map<string, number>();
  for (const { kind } of examples) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const attackKinds = Math.max(1, counts.size - 1);
  const rows = examples.map(({ kind, signals }) => ({
    values: featuresOf(signals),
    target: kind === 'genuine' ? 0 : 1,
    // Genuine clips and attacks have the same total weight, and so does each kind of attack.
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
    // A bias above 0 would count against people whose signals could not be measured.
    bias = Math.min(0, bias - STEP * biasSlope);
    weights = weights.map((weight, i) => Math.max(0, weight - STEP * (slopes[i] ?? 0)));
  }
  const named = ATTACK_SIGNALS.map((signal, i) => [signal, weights[i] ?? 0] as const);
  return { bias, weights: Object.fromEntries(named) as Fit['weights'] };
}

/**
 * Each example also as in sunlight, which drowns out the page's light, so that weights and thresholds work there as
 * well.
 */
export const withUnlit = (examples: readonly Example[]): Example[] =>
  examples.flatMap(({ kind, signals }) => [
    { kind, signals },
    { kind, signals: { ...signals, otherLight: 0, unlit: 1, lit: 0 } },
  ]);

const featuresOf = (signals: AttackSignals): number[] =>
  ATTACK_SIGNALS.map((signal) => scaled(signal, signals[signal]));

/** Logarithm of odds above the highest genuine example at which each mode sets its threshold. */
const MARGIN = { strict: 0.5, standard: 1 } as const;

/** Thresholds by a rule instead of by hand: no genuine example above them, plus a margin. */
export function fitThresholds(
  { bias, weights }: Fit,
  examples: readonly Example[],
): Record<ChallengeMode, number> {
  const highest = Math.max(
    ...examples
      .filter(({ kind }) => kind === 'genuine')
      .map(({ signals }) =>
        ATTACK_SIGNALS.reduce((sum, signal) => sum + weights[signal] * scaled(signal, signals[signal]), bias),
      ),
  );
  const score = (odds: number) => 1 / (1 + Math.exp(-odds));
  return { standard: score(highest + MARGIN.standard), strict: score(highest + MARGIN.strict) };
}
