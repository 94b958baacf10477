/** Tells a person's page, with its document, which languages it offers: it knows before it shows its first word. */
import { LANGUAGE_META, type LanguageOffer } from '../../contract/languages.ts';

const meta = (name: string, content: string): string => `<meta name="${name}" content="${content}" />`;

/** The built document with what is offered now. */
export function withLanguages(document: string, { offered, default_language }: LanguageOffer): string {
  const said = [
    meta(LANGUAGE_META.offered, offered.join(' ')),
    meta(LANGUAGE_META.defaultLanguage, default_language),
  ];
  return document.replace('<head>', `<head>\n    ${said.join('\n    ')}`);
}
