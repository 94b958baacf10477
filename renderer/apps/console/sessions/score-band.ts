/** Limits of the bands, as in the API reference. */
const MEDIUM_FROM = 30;
const HIGH_FROM = 70;

export type ScoreBand = 'low' | 'medium' | 'high';

/** @param score 0 to 100, higher is riskier */
export function bandOf(score: number): ScoreBand {
  if (score < MEDIUM_FROM) return 'low';
  return score < HIGH_FROM ? 'medium' : 'high';
}
