import { vibrate } from '../../ui/tones.ts';

/**
 * Tells a person who cannot look at the screen, because the head is turned or the eyes are closed, that a step has
 * been recorded: a short vibration if the device can, otherwise a soft tone.
 */
type StepSignal = { give: () => void; end: () => void };

const VIBRATION_MS = 40;
const TONE = { frequencyHz: 880, volume: 0.08, lengthS: 0.12 } as const;

/** Browsers let a page make sounds only after a touch, such as the consent. */
export function createStepSignal(): StepSignal {
  let audio: AudioContext | null = null;
  const sound = () => {
    audio ??= new AudioContext();
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const startS = audio.currentTime;
    tone.frequency.value = TONE.frequencyHz;
    volume.gain.setValueAtTime(TONE.volume, startS);
    volume.gain.exponentialRampToValueAtTime(0.001, startS + TONE.lengthS);
    tone.connect(volume).connect(audio.destination);
    tone.start(startS);
    tone.stop(startS + TONE.lengthS);
  };
  return {
    give() {
      const vibrates = vibrate([VIBRATION_MS]);
      try {
        if (!vibrates) sound();
      } catch {
        // Without a sound device, only the screen shows it.
      }
    },
    end: () => void audio?.close().catch(() => undefined),
  };
}
