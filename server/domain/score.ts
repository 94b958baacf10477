/** Trust score of a settled run (contract, confirmation `score` and `band`; decisions §3.15). Higher is riskier. */

export type RiskSignals = {
  /** Presentation-attack model's view of the frames, 1 = genuine. */
  genuineScore: number;
  /** Image quality of the capture, 1 = as good as it gets. */
  quality: number;
  /** How near the closest other person came, as a share of the same-person threshold; 1 = indistinguishable. */
  nearness: number;
  /** The check was made on a desktop camera, where virtual cameras are common. */
  desktop: boolean;
};

export type Band = 'low' | 'medium' | 'high';

const WEIGHTS = { spoof: 45, quality: 25, nearness: 20, desktop: 10 } as const;
/** A stranger's nearest neighbour lies around half of the threshold; only what comes above that says anything. */
export const ORDINARY_NEARNESS = 0.6;

/** Points each signal adds; they sum to the score before rounding. */
export function explainScore(signals: RiskSignals): Record<keyof typeof WEIGHTS, number> {
  const nearness = (clamp(signals.nearness) - ORDINARY_NEARNESS) / (1 - ORDINARY_NEARNESS);
  return {
    spoof: WEIGHTS.spoof * (1 - clamp(signals.genuineScore)),
    quality: WEIGHTS.quality * (1 - clamp(signals.quality)),
    nearness: WEIGHTS.nearness * clamp(nearness),
    desktop: signals.desktop ? WEIGHTS.desktop : 0,
  };
}

export function riskScore(signals: RiskSignals): number {
  const points = explainScore(signals);
  return Math.round(points.spoof + points.quality + points.nearness + points.desktop);
}

export function bandOf(score: number): Band {
  if (score < 30) return 'low';
  return score < 70 ? 'medium' : 'high';
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value));
