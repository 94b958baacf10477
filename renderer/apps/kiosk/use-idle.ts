/** Watches for signs of a person on the present screen; says how long is left, and calls back when nobody is there. */
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { ASK_BEFORE_MS, type IdleRule } from './idle.ts';

const TICK_MS = 500;
const SIGNS = ['pointerdown', 'keydown', 'input'] as const;

export type Idle = {
  /** Whole seconds until the kiosk starts over, while that is to be shown; else null. */
  leftS: number | null;
  /** Somebody is there. */
  poke: () => void;
};

/** @param screen another screen is a sign by itself */
export function useIdle(screen: string, rule: IdleRule | null, onIdle: () => void): Idle {
  const lastSignMs = useRef(0);
  const [leftS, setLeftS] = useState<number | null>(null);
  const idle = useEffectEvent(onIdle);
  const limitMs = rule?.limitMs ?? null;
  const asks = rule?.asks ?? false;
  const poke = useCallback(() => {
    lastSignMs.current = Date.now();
    setLeftS(null);
  }, []);

  useEffect(() => {
    lastSignMs.current = Date.now();
    if (limitMs === null) return;
    const tick = () => {
      const leftMs = limitMs - (Date.now() - lastSignMs.current);
      if (leftMs <= 0) {
        setLeftS(null);
        idle();
      } else setLeftS(!asks || leftMs <= ASK_BEFORE_MS ? Math.ceil(leftMs / 1_000) : null);
    };
    const timer = setInterval(tick, TICK_MS);
    // A result goes by itself, touched or not.
    if (asks) for (const sign of SIGNS) window.addEventListener(sign, poke);
    return () => {
      clearInterval(timer);
      for (const sign of SIGNS) window.removeEventListener(sign, poke);
      setLeftS(null);
    };
  }, [screen, limitMs, asks, poke]);

  return { leftS, poke };
}
