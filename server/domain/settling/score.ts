/** Risk score of a settled run (contract, confirmation `score` and `band`; decisions §3.15). Higher is riskier. */

export type RiskSignals = {
  /** How genuine the frames look to the attack model or by the attack score, whichever is worse; 1 = genuine. */
  genuineScore: number;
  /** Image quality of the capture; 1 = best possible. */
  quality: number;
  /** Similarity of the nearest other person, as a share of the same-person threshold; 1 = indistinguishable. */
  nearness: number;
  /** The check was made on a desktop camera, where virtual cameras are common. */
  desktop: boolean;
  /** No paired kiosk signed the pictures, so nothing proves that they come from a camera. */
  unsigned: boolean;
  /**
   * What the page reported about its camera. An attacker reports nothing, so a missing report does not lower
   * the risk.
   */
  camera?: { virtual: boolean; changed: boolean } | undefined;
};

const WEIGHTS = { spoof: 45, quality: 25, nearness: 20, desktop: 10, unsigned: 5, camera: 10 } as const;
const MOST = 100;
/**
 * The nearest different person usually reaches about half of the threshold; only more than that is informative.
 */
export const ORDINARY_NEARNESS = 0.6;

/** Points of each signal. They add up to the score before rounding and its limit of 100. */
export function explainScore(signals: RiskSignals): Record<keyof typeof WEIGHTS, number> {
  const nearness = (clamp(signals.nearness) - ORDINARY_NEARNESS) / (1 - ORDINARY_NEARNESS);
  return {
    spoof: WEIGHTS.spoof * (1 - clamp(signals.genuineScore)),
    quality: WEIGHTS.quality * (1 - clamp(signals.quality)),
    nearness: WEIGHTS.nearness * clamp(nearness),
    desktop: signals.desktop ? WEIGHTS.desktop : 0,
    unsigned: signals.unsigned ? WEIGHTS.unsigned : 0,
    camera: signals.camera?.virtual === true || signals.camera?.changed === true ? WEIGHTS.camera : 0,
  };
}

export function riskScore(signals: RiskSignals): number {
  const sum = Object.values(explainScore(signals)).reduce((total, points) => total + points, 0);
  return Math.min(MOST, Math.round(sum));
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value));
