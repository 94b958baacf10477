import type { ByLanguage } from '../by-language.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

export const KEYS_WORDS: ByLanguage<typeof en> = { en, es, fr, de };
