/** The languages that persons are spoken to in, and how their pages are told which of them this installation offers. */
import { Type, type Static } from 'typebox';

/** What the product speaks, in the usual order. */
export const LANGUAGES = ['en', 'es', 'fr', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each in its own language, for a choice of languages. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  es: 'Español',
  fr: 'Français',
  de: 'Deutsch',
};

export const isLanguage = (value: string): value is Language =>
  (LANGUAGES as readonly string[]).includes(value);

const language = Type.Unsafe<Language>({ type: 'string', enum: [...LANGUAGES] });

/** What persons are offered; the default is one of them. */
export const LanguageOffer = Type.Object({
  offered: Type.Array(language, { maxItems: LANGUAGES.length, uniqueItems: true }),
  default_language: Type.Unsafe<Language>({
    ...language,
    description: 'Used if a guest’s browser asks for none of the offered languages.',
  }),
});
export type LanguageOffer = Static<typeof LanguageOffer>;

/** Until an admin chooses; also what a page does that persons never see. */
export const EVERY_LANGUAGE: LanguageOffer = { offered: [...LANGUAGES], default_language: 'en' };

/**
 * The language to speak: the first of the wishes that is offered, else the default.
 * @param wishes BCP 47 tags in order of preference; what follows the language itself does not matter
 */
export function languageFor(offer: LanguageOffer, wishes: readonly string[]): Language {
  for (const wish of wishes) {
    const [base = ''] = wish.trim().toLowerCase().split(/[-;]/);
    if (isLanguage(base) && offer.offered.includes(base)) return base;
  }
  return offer.default_language;
}

/** Names of the `<meta>` elements that the server writes into a person's page: the offered ones, with spaces; the default. */
export const LANGUAGE_META = {
  offered: 'gatehouse:languages',
  defaultLanguage: 'gatehouse:default-language',
} as const;
