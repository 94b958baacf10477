/** The words of "my verifications" in every language, and dates in words. */
import type { Language } from '../language.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import type { MyWords } from './words.ts';

export const MY_WORDS: Record<Language, MyWords> = { en, es, fr, de };

/** The day of an ISO 8601 time, in words and where the person is. */
export const dayInWords = (time: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date(time));
