/**
 * Combines all signals into one number: a logistic combination with the weights and thresholds of `weights.ts`.
 */
import { ATTACK_FINDINGS, type AttackFinding } from '../../../contract/console/attack-findings.ts';
import { ATTACK_SIGNALS, type AttackSignal, type AttackSignals } from './signals.ts';
import { BIAS, SCALES, SPEAKS_FROM, WEIGHTS } from './weights.ts';

export type AttackJudgement = {
  /**
   * 0 to 1; higher is more like an attack. A true probability only for the mix of clips that the weights were
   * fitted on.
   */
  score: number;
  /** Findings of the signals that indicate an attack, in the order of `ATTACK_FINDINGS`. */
  findings: AttackFinding[];
  signals: AttackSignals;
};

/**
 * Scales a signal for the combination: 0 if it is neutral, higher toward an attack, and bounded, so that no
 * signal exceeds its weight.
 */
export function scaled(signal: AttackSignal, value: number | null): number {
  if (value === null) return 0;
  const { from, width, most } = SCALES[signal];
  return Math.min(most, Math.max(0, (value - from) / width));
}

export function judgeAttack(signals: AttackSignals): AttackJudgement {
  const values = ATTACK_SIGNALS.map((signal) => ({ signal, value: scaled(signal, signals[signal]) }));
  const sum = values.reduce((total, { signal, value }) => total + WEIGHTS[signal] * value, BIAS);
  const spoke = values.filter(({ value }) => value >= SPEAKS_FROM).map(({ signal }) => FINDING_OF[signal]);
  return {
    score: 1 / (1 + Math.exp(-sum)),
    findings: ATTACK_FINDINGS.filter((finding) => spoke.includes(finding)),
    signals,
  };
}

/** @param threshold score, 0 to 1, from which a capture counts as an attack */
export const isAttack = ({ score }: AttackJudgement, threshold: number): boolean => score >= threshold;

/** The finding for each signal. The console has the texts. */
export const FINDING_OF: Record<AttackSignal, AttackFinding> = {
  passive: 'looks_like_a_picture',
  relief: 'nose_did_not_turn',
  headlike: 'motion_unlike_a_head',
  together: 'surroundings_moved_along',
  pattern: 'fine_regular_pattern',
  border: 'straight_rim',
  rim: 'straight_rim',
  agreement: 'eyes_or_mouth_did_not_follow',
  otherLight: 'light_of_another_time',
  unlit: 'page_light_unseen',
};
