import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ATTACK_FINDINGS } from '../../../contract/console/attack-findings.ts';
import { FINDING_OF, isAttack, judgeAttack } from './score.ts';
import { ATTACK_SIGNALS, type AttackSignal, type AttackSignals } from './signals.ts';
import { ATTACK_THRESHOLDS, SCALES, WEIGHTS } from './weights.ts';

const GENUINE: AttackSignals = {
  passive: 0.02,
  relief: 0.35,
  headlike: 0.93,
  together: -0.9,
  pattern: 13,
  border: 0.4,
  rim: 0.2,
  agreement: 1,
  otherLight: 0.01,
  unlit: 0,
  lit: 0,
};
const SHEET: AttackSignals = { ...GENUINE, relief: 0.03, headlike: 0.6, together: 0.1, agreement: 0.1 };

describe('the attack score', () => {
  test('passes a head and stops a sheet of paper, in both modes', () => {
    for (const mode of ['standard', 'strict'] as const) {
      expect(isAttack(judgeAttack(GENUINE), ATTACK_THRESHOLDS[mode])).toBe(false);
      expect(isAttack(judgeAttack(SHEET), ATTACK_THRESHOLDS[mode])).toBe(true);
    }
  });

  test('is a probability that never falls when a signal points more to an attack', () => {
    const value = fc.double({ min: -50, max: 50, noNaN: true });
    const signals = fc.record({
      passive: value,
      relief: value,
      headlike: value,
      together: value,
      pattern: value,
      border: value,
      rim: value,
      agreement: value,
      otherLight: value,
      unlit: value,
      lit: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(
        signals,
        fc.constantFrom<AttackSignal>(...ATTACK_SIGNALS),
        fc.double({ min: 0, max: 5, noNaN: true }),
        (base, signal, more) => {
          const worse = { ...base, [signal]: base[signal] + more * SCALES[signal].width };
          const [before, after] = [judgeAttack(base).score, judgeAttack(worse).score];
          expect(before).toBeGreaterThanOrEqual(0);
          expect(after).toBeLessThanOrEqual(1);
          expect(after).toBeGreaterThanOrEqual(before);
        },
      ),
    );
  });

  const strongest = (signal: AttackSignal) =>
    SCALES[signal].from + SCALES[signal].most * SCALES[signal].width;

  test.each(['passive', 'pattern', 'border', 'rim', 'together', 'otherLight', 'unlit'] as const)(
    'never fails a head for a single sign in picture or scene: %s',
    (signal) => {
      // Four unbroken edges are also two.
      const edges = signal === 'rim' && { border: strongest('border') };
      const { score } = judgeAttack({ ...GENUINE, ...edges, [signal]: strongest(signal) });
      expect(score).toBeLessThan(Math.min(...Object.values(ATTACK_THRESHOLDS)));
    },
  );

  test('a rim around the face leaves a doubt, and fails if the page’s light is not seen on the skin either', () => {
    const framed = { ...GENUINE, border: 1, rim: 1 };
    expect(judgeAttack({ ...framed, rim: 0.6, unlit: 1 }).score).toBeLessThan(ATTACK_THRESHOLDS.standard / 2);
    for (const threshold of Object.values(ATTACK_THRESHOLDS)) {
      expect(judgeAttack(framed).score).toBeGreaterThan(threshold / 2);
      expect(judgeAttack({ ...framed, unlit: 1 }).score).toBeGreaterThan(threshold);
    }
  });

  test('the page’s light on a face never lowers it', () => {
    for (const signals of [GENUINE, SHEET]) {
      const scoreAt = (lit: number | null) => judgeAttack({ ...signals, lit }).score;
      expect([scoreAt(1), scoreAt(0.5), scoreAt(null)]).toEqual([scoreAt(0), scoreAt(0), scoreAt(0)]);
    }
  });

  test('treats a signal that was not measured as neutral', () => {
    const silent: AttackSignals = {
      ...GENUINE,
      passive: null,
      relief: null,
      headlike: null,
      together: null,
      pattern: null,
      border: null,
      rim: null,
      agreement: null,
      otherLight: null,
      unlit: null,
      lit: null,
    };
    const { score, findings } = judgeAttack(silent);
    expect(score).toBeLessThan(ATTACK_THRESHOLDS.standard);
    expect(findings).toEqual([]);
  });

  test('names the finding of each signal that indicates an attack', () => {
    expect(judgeAttack(GENUINE).findings).toEqual([]);
    expect(judgeAttack(SHEET).findings).toContain('nose_did_not_turn');
    expect(judgeAttack({ ...GENUINE, pattern: 40 }).findings).toEqual(['fine_regular_pattern']);
    expect(new Set(Object.values(FINDING_OF))).toEqual(new Set(ATTACK_FINDINGS));
  });

  test('strict mode is stricter, and no weight rewards an attack', () => {
    expect(ATTACK_THRESHOLDS.strict).toBeLessThan(ATTACK_THRESHOLDS.standard);
    for (const weight of Object.values(WEIGHTS)) expect(weight).toBeGreaterThanOrEqual(0);
  });
});
