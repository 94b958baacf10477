/** Which languages this page offers: the server says so in the page's own document. */
import {
  EVERY_LANGUAGE,
  isLanguage,
  LANGUAGE_META,
  type LanguageOffer,
} from '../../server/contract/languages.ts';

/**
 * A language that this page has no words for, as a newer server may name, is left out.
 * @param contentOf what a `<meta>` element of that name holds; null where there is none
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
