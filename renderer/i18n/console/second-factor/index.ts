import type { ByLanguage } from '../by-language.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

export const SECOND_FACTOR_WORDS: ByLanguage<typeof en> = { en, es, fr, de };
