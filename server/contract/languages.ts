/** The languages offered to guests, and how their pages learn which of them this installation offers. */
import { Type, type Static } from 'typebox';

/** The languages of the product, in the usual order. */
export const LANGUAGES = ['en', 'es', 'fr', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The name of each language in that language, for language menus. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  es: 'Español',
  fr: 'Français',
  de: 'Deutsch',
};

export const isLanguage = (value: string): value is Language =>
  (LANGUAGES as readonly string[]).includes(value);

const language = Type.Unsafe<Language>({ type: 'string', enum: [...LANGUAGES] });

/** The language of a file that people read, such as a CSV export. English by default. */
export const FileLanguage = { language: Type.Optional(language) } as const;

/** The languages offered to guests; the default is one of them. */
export const LanguageOffer = Type.Object({
  offered: Type.Array(language, { maxItems: LANGUAGES.length, uniqueItems: true }),
  default_language: Type.Unsafe<Language>({
    ...language,
    description: 'Used if a guest’s browser asks for none of the offered languages.',
  }),
});
export type LanguageOffer = Static<typeof LanguageOffer>;

/** The default until an admin chooses; also used by pages that guests never see. */
export const EVERY_LANGUAGE: LanguageOffer = { offered: [...LANGUAGES], default_language: 'en' };

/**
 * The language to use: the first requested one that is offered, else the default.
 * @param wishes BCP 47 tags in order of preference; subtags are ignored
 */
export function languageFor(offer: LanguageOffer, wishes: readonly string[]): Language {
  for (const wish of wishes) {
    const [base = ''] = wish.trim().toLowerCase().split(/[-;]/);
    if (isLanguage(base) && offer.offered.includes(base)) return base;
  }
  return offer.default_language;
}

/**
 * Names of the `<meta>` elements that the server writes into a guest's page: the offered languages, separated by
 * spaces; the default.
 */
export const LANGUAGE_META = {
  offered: 'gatehouse:languages',
  defaultLanguage: 'gatehouse:default-language',
} as const;
