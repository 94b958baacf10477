/** A result as sound and vibration, so that neither a guest nor staff has to look at the screen. */
import { playTones, vibrate } from '../ui/tones.ts';
import type { ResultView } from './routing.ts';

type Signal = {
  tonesHz: readonly number[];
  /** Vibrations and the pauses between them, in turn. */
  vibrationMs: readonly number[];
};

/** Rises if the guest may go in, stays level if staff must check, falls if refused. */
export const RESULT_SIGNALS: Record<ResultView, Signal> = {
  passed: { tonesHz: [523, 784], vibrationMs: [60, 60, 160] },
  already: { tonesHz: [440, 440], vibrationMs: [120, 120, 120] },
  pending: { tonesHz: [440, 440], vibrationMs: [120, 120, 120] },
  denied: { tonesHz: [392, 262], vibrationMs: [400] },
  declined: { tonesHz: [], vibrationMs: [] },
};

/** For the calm view: no tone, and one short vibration for every result. */
const CALM: Signal = { tonesHz: [], vibrationMs: [40] };

export function signalResult(view: ResultView, isCalm: boolean): void {
  const { tonesHz, vibrationMs } = isCalm ? CALM : RESULT_SIGNALS[view];
  vibrate(vibrationMs);
  playTones(tonesHz);
}
