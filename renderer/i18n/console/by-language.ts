/** One area's words in every language. A folder an area, so that a page loads its own words only. */
import type { Language } from '../language.ts';

export type ByLanguage<Words> = Record<Language, Words>;
