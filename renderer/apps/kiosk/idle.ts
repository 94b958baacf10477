/** How long each screen waits for a person who may have walked away. */
import { isTroubleScreen, type PlainScreen, type ScreenName } from './kiosk-state.ts';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';

type IdleRule = {
  /** After this long without a sign of a person, the kiosk starts over. */
  limitMs: number;
  /** Whether it asks first; a screen that only informs does not. */
  asks: boolean;
};

/** How long before the end the question is asked. */
export const ASK_BEFORE_MS = 10_000;
/** The calm view allows more time. */
const CALM_FACTOR = 2;
/** Other people may be able to see the screen, so a result closes soon, even in the calm view. */
const RESULT_SHOWN_MS = 8_000;
/** A guest who passed leaves immediately. */
export const PASS_SHOWN_MS = 3_000;

const asking = (limitMs: number): IdleRule => ({ limitMs, asks: true });
const telling = (limitMs: number): IdleRule => ({ limitMs, asks: false });

/** How long a message that blocks checks is shown to a person who waits for it to end. */
const TROUBLE: IdleRule = telling(45_000);

/** Null if the screen shows nothing about a person. */
const RULES: Record<PlainScreen, IdleRule | null> = {
  other_tab: null,
  pairing: null,
  starting: null,
  attract: null,
  scan: asking(30_000),
  test: asking(30_000),
  opening: telling(15_000),
  consent: asking(60_000),
  phone: asking(120_000),
  // The camera sees whether someone is there: each analysed face counts as a sign.
  capture: asking(30_000),
  retry: asking(30_000),
  // Staff have to walk there.
  ask_staff: asking(180_000),
  checking: telling(60_000),
  admission: telling(15_000),
  show_ticket: asking(60_000),
  ticket: telling(RESULT_SHOWN_MS),
  party: asking(60_000),
  result: telling(RESULT_SHOWN_MS),
  dead: telling(RESULT_SHOWN_MS),
  refused: telling(RESULT_SHOWN_MS),
  staff: telling(120_000),
};

/** @param closesSoon the person on the screen passed the check, and needs no time to listen */
export function idleRuleOf(screen: ScreenName, isCalm: boolean, closesSoon = false): IdleRule | null {
  const isPass = (screen === 'result' || screen === 'ticket') && closesSoon;
  const rule = isTroubleScreen(screen) ? TROUBLE : isPass ? telling(PASS_SHOWN_MS) : RULES[screen];
  if (rule === null || !isCalm || rule.limitMs === RESULT_SHOWN_MS) return rule;
  return { ...rule, limitMs: rule.limitMs * CALM_FACTOR };
}

const TICK_MS = 500;
/** Unlike the device's clock, it is never corrected: a result must close however the clock is set. */
const steadyNowMs = (): number => performance.now();
const SIGNS = ['pointerdown', 'keydown', 'input'] as const;

type Idle = {
  /** Whole seconds until the kiosk starts over, while they are shown; else null. */
  leftS: number | null;
  /** Someone is there. */
  poke: () => void;
};

/**
 * Watches for signs of a person on the current screen, reports the remaining time, and calls back when nobody is
 * there.
 * @param screen a change of screen counts as a sign
 */
export function useIdle(screen: string, rule: IdleRule | null, onIdle: () => void): Idle {
  const lastSignMs = useRef(0);
  // Kept with its screen, because the next screen renders once before this one's time is cleared.
  const [left, setLeft] = useState<{ screen: string; seconds: number } | null>(null);
  const idle = useEffectEvent(onIdle);
  const limitMs = rule?.limitMs ?? null;
  const asks = rule?.asks ?? false;
  const poke = useCallback(() => {
    lastSignMs.current = steadyNowMs();
    setLeft(null);
  }, []);

  useEffect(() => {
    lastSignMs.current = steadyNowMs();
    if (limitMs === null) return;
    const tick = () => {
      const leftMs = limitMs - (steadyNowMs() - lastSignMs.current);
      if (leftMs <= 0) {
        setLeft(null);
        idle();
      } else if (!asks || leftMs <= ASK_BEFORE_MS) setLeft({ screen, seconds: Math.ceil(leftMs / 1_000) });
      else setLeft(null);
    };
    const timer = setInterval(tick, TICK_MS);
    // The result screen closes after a while, touched or not.
    if (asks) for (const sign of SIGNS) window.addEventListener(sign, poke);
    return () => {
      clearInterval(timer);
      for (const sign of SIGNS) window.removeEventListener(sign, poke);
      setLeft(null);
    };
  }, [screen, limitMs, asks, poke]);

  return { leftS: left?.screen === screen ? left.seconds : null, poke };
}
