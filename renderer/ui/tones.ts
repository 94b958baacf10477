const TONE_S = 0.18;
const CLOSE_AFTER_MS = 2_000;
const VOLUME = 0.2;

/** Plays tones in sequence. Silent until the page has been touched, as browsers require, and without a speaker. */
export function playTones(frequenciesHz: readonly number[]): void {
  if (frequenciesHz.length === 0) return;
  try {
    play(frequenciesHz);
  } catch {
    // Without a sound device, only the screen shows it.
  }
}

function play(frequenciesHz: readonly number[]): void {
  const context = new AudioContext();
  const volume = new GainNode(context, { gain: VOLUME });
  volume.connect(context.destination);
  frequenciesHz.forEach((frequency, index) => {
    const tone = new OscillatorNode(context, { frequency });
    tone.connect(volume);
    tone.start(context.currentTime + index * TONE_S);
    tone.stop(context.currentTime + (index + 1) * TONE_S);
  });
  // With a timer, because a tone never ends if the browser does not play it.
  setTimeout(() => void context.close().catch(() => undefined), CLOSE_AFTER_MS);
}

/**
 * Vibrates a handheld device.
 * @param patternMs vibrations and the pauses between them, in turn
 * @returns whether it does: browsers on iOS cannot, and a computer may have the function but no motor
 */
export function vibrate(patternMs: readonly number[]): boolean {
  const { vibrate: start } = navigator as { vibrate?: (pattern: number[]) => boolean };
  const isHandheld = matchMedia('(pointer: coarse)').matches;
  return patternMs.length > 0 && isHandheld && start?.call(navigator, [...patternMs]) === true;
}

const PREFERRED = ['(prefers-reduced-motion: reduce)', '(forced-colors: active)', '(prefers-contrast: more)'];

/** Whether the person's device requests gentle changes. */
export const prefersCalm = (): boolean => PREFERRED.some((query) => matchMedia(query).matches);
