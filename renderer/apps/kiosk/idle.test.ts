import { expect, test } from 'vitest';
import { ASK_BEFORE_MS, idleRuleOf, PASS_SHOWN_MS } from './idle.ts';
import type { ScreenName } from './kiosk-state.ts';

/** From a result to the first screen. */
const BACK_WITHIN_MS = 10_000;

test.each<ScreenName>(['result', 'dead', 'refused'])(
  '%s closes within ten seconds, in the calm view or not',
  (screen) => {
    for (const isCalm of [false, true]) {
      expect(idleRuleOf(screen, isCalm)?.limitMs).toBeLessThan(BACK_WITHIN_MS);
    }
  },
);

test('a pass closes after three seconds, and after six in the calm view', () => {
  expect(PASS_SHOWN_MS).toBe(3_000);
  expect(idleRuleOf('result', false, true)).toEqual({ limitMs: PASS_SHOWN_MS, asks: false });
  expect(idleRuleOf('result', true, true)).toEqual({ limitMs: 2 * PASS_SHOWN_MS, asks: false });
});

test.each<ScreenName>(['scan', 'consent', 'phone', 'test', 'capture', 'retry'])(
  '%s asks before it starts over, and waits twice as long in the calm view',
  (screen) => {
    const rule = idleRuleOf(screen, false);
    expect(rule).toMatchObject({ asks: true });
    expect(rule?.limitMs).toBeGreaterThan(ASK_BEFORE_MS);
    expect(idleRuleOf(screen, true)?.limitMs).toBe(2 * (rule?.limitMs ?? 0));
  },
);

test.each<ScreenName>(['attract', 'pairing', 'starting'])('%s may stay', (screen) => {
  expect(idleRuleOf(screen, false)).toBeNull();
});

test('a person who waits for trouble to end is not kept for ever', () => {
  expect(idleRuleOf('trouble-offline', false)).toMatchObject({ asks: false });
});
