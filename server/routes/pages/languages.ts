/** Tells a person's page, with its document, which languages it offers: it knows before it shows its first word. */
import { LANGUAGE_META, type LanguageOffer } from '../../contract/languages.ts';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;' };
const escaped = (text: string): string => text.replace(/[&"<]/g, (character) => ESCAPES[character] ?? '');
const meta = (name: string, content: string): string =>
  `<meta name="${name}" content="${escaped(content)}" />`;

/** The built document with the languages on offer and further facts by name. */
export function withLanguages(
  document: string,
  { offered, default_language }: LanguageOffer,
  facts: Readonly<Record<string, string>> = {},
): string {
  const said = [
    meta(LANGUAGE_META.offered, offered.join(' ')),
    meta(LANGUAGE_META.defaultLanguage, default_language),
    ...Object.entries(facts).map(([name, content]) => meta(name, content)),
  ];
  return document.replace('<head>', `<head>\n    ${said.join('\n    ')}`);
}
