/** The languages that this page offers, from its own document. */
import {
  EVERY_LANGUAGE,
  isLanguage,
  LANGUAGE_META,
  type LanguageOffer,
} from '../../server/contract/languages.ts';

/**
 * Leaves out a language without a catalogue, as a newer server may name.
 * @param contentOf content of the `<meta>` element with that name; null if there is none
 */
export function offerOf(contentOf: (name: string) => string | null): LanguageOffer {
  const offered = (contentOf(LANGUAGE_META.offered) ?? '').split(' ').filter(isLanguage);
  const [first] = offered;
  if (first === undefined) return EVERY_LANGUAGE;
  const named = contentOf(LANGUAGE_META.defaultLanguage);
  return { offered, default_language: offered.find((language) => language === named) ?? first };
}

export const readOffer = (page: Document): LanguageOffer =>
  offerOf((name) => page.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? null);
