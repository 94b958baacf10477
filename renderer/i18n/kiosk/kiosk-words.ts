/** The kiosk's own words in every language that it can speak. */
import type { KioskLanguage } from '../../../server/contract/kiosk.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import type { KioskWords } from './words.ts';

export const KIOSK_WORDS: Record<KioskLanguage, KioskWords> = { en, es, fr, de };

/** Version of the kiosk's consent text, stored with each consent. A changed wording needs a new version. */
export const KIOSK_CONSENT_VERSION = 'kiosk-2026-11';
