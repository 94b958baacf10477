/** Writes the offered languages into a guest's page, so that it knows them before it shows its first word. */
import { LANGUAGE_META, languageFor, type LanguageOffer } from '../../contract/languages.ts';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;' };
const escaped = (text: string): string => text.replace(/[&"<]/g, (character) => ESCAPES[character] ?? '');
const meta = (name: string, content: string): string =>
  `<meta name="${name}" content="${escaped(content)}" />`;

const CATALOGUE_LINK = /<link [^>]*data-catalogue="(\w+)"[^>]*>/g;

/**
 * The built document with the offered languages and more facts by name. Of its links to catalogues, only those of the
 * page’s first language stay.
 * @param wishes value of the request’s Accept-Language
 */
export function withLanguages(
  document: string,
  { offered, default_language }: LanguageOffer,
  wishes = '',
  facts: Readonly<Record<string, string>> = {},
): string {
  const said = [
    meta(LANGUAGE_META.offered, offered.join(' ')),
    meta(LANGUAGE_META.defaultLanguage, default_language),
    ...Object.entries(facts).map(([name, content]) => meta(name, content)),
  ];
  const language = languageFor({ offered, default_language }, wishes.split(','));
  return document
    .replaceAll(CATALOGUE_LINK, (link, of: string) => (of === language ? link : ''))
    .replace('<head>', `<head>\n    ${said.join('\n    ')}`);
}
