/**
 * Reads the screen's text aloud, with a voice of this machine: text about a person's check goes to no speech service.
 */
import type { KioskLanguage } from '../../../../server/contract/kiosk.ts';

export type Speaker = {
  /** Whether there is a voice for a language. */
  canSpeak: (language: KioskLanguage) => boolean;
  say: (text: string, language: KioskLanguage) => void;
  hush: () => void;
  /**
   * Voices become available when the system has listed them.
   * @returns a function that stops listening
   */
  onVoices: (listener: () => void) => () => void;
};

/** Slower than a conversation, because a hall is loud and the text is new. */
const RATE = 0.9;

const SILENT: Speaker = {
  canSpeak: () => false,
  say: () => undefined,
  hush: () => undefined,
  onVoices: () => () => undefined,
};

/** @param synthesis the browser's own; undefined if it has none */
export function createSpeaker(synthesis: SpeechSynthesis | undefined): Speaker {
  if (synthesis === undefined) return SILENT;
  const voiceFor = (language: KioskLanguage) =>
    synthesis
      .getVoices()
      .find(({ lang, localService }) => localService && lang.toLowerCase().startsWith(language));
  return {
    canSpeak: (language) => voiceFor(language) !== undefined,
    say(text, language) {
      const voice = voiceFor(language);
      if (voice === undefined || text === '') return;
      synthesis.cancel();
      const utterance = new SpeechSynthesisUtterance(text);
      utterance.voice = voice;
      utterance.lang = voice.lang;
      utterance.rate = RATE;
      synthesis.speak(utterance);
    },
    hush: () => synthesis.cancel(),
    onVoices(listener) {
      synthesis.addEventListener('voiceschanged', listener);
      return () => synthesis.removeEventListener('voiceschanged', listener);
    },
  };
}
