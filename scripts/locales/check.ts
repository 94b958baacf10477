/** Finds problems in the catalogues: missing, unused, misspelt or incomplete messages. */
import { TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { type CatalogueFile, parseMessage, readCatalogue } from '../../locales/compile.ts';
import { argumentsOf } from './types.ts';

/** Messages of one catalogue by key, for each language; English is the reference. */
type Translations = { readonly en: ReadonlyMap<string, string> } & Readonly<
  Record<string, ReadonlyMap<string, string>>
>;

/**
 * One sentence per problem.
 * @param catalogue its name, for the sentences
 */
export function problemsOf(catalogue: string, translations: Translations): string[] {
  const problems: string[] = [];
  for (const [language, messages] of Object.entries(translations)) {
    const at = (key: string) => `${language}/${catalogue}.json, ${key}:`;
    for (const key of translations.en.keys()) if (!messages.has(key)) problems.push(`${at(key)} missing.`);
    for (const [key, message] of messages) {
      const english = translations.en.get(key);
      if (english === undefined) problems.push(`${at(key)} not in English.`);
      if (message.trim() === '') problems.push(`${at(key)} empty.`);
      if (language === 'fr' && BREAKABLE.test(message)) {
        problems.push(`${at(key)} French punctuation after a space where the line may break.`);
      }
      try {
        const elements = parseMessage(message);
        problems.push(
          ...missingForms(elements, language).map((form) => `${at(key)} no plural form “${form}”.`),
        );
        if (english !== undefined && namesIn(elements) !== namesIn(parseMessage(english))) {
          problems.push(`${at(key)} arguments (${namesIn(elements)}) differ from English.`);
        }
      } catch (error) {
        problems.push(`${at(key)} does not parse: ${String(error)}`);
      }
    }
  }
  return problems;
}

/** French sets a space before these and inside quotation marks, and a line must not begin or end with them. */
const BREAKABLE = / [»?!;:]|« /;

const namesIn = (elements: readonly MessageFormatElement[]): string =>
  [...argumentsOf(elements).keys()].sort().join(', ');

/** Plural forms that CLDR requires in the language and the message lacks. */
function missingForms(elements: readonly MessageFormatElement[], language: string): string[] {
  return elements.flatMap((element) => {
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return [];
    const below = Object.values(element.options).flatMap(({ value }) => missingForms(value, language));
    if (element.type === TYPE.select) return below;
    const type = element.pluralType ?? 'cardinal';
    const { pluralCategories } = new Intl.PluralRules(language, { type }).resolvedOptions();
    return [...pluralCategories.filter((form) => !(form in element.options)), ...below];
  });
}

/** The names in the sources. */
export type Named = {
  words: ReadonlySet<string>;
  /** Ends of composed names, such as `Title` in a template that begins with a verb. */
  endings: ReadonlySet<string>;
};

/** Messages whose last name occurs nowhere in the sources; a name that is a code counts if the code occurs. */
export function unusedIn(messages: ReadonlyMap<string, string>, { words, endings }: Named): string[] {
  const isPutTogether = (name: string) =>
    [...endings].some((end) => name.endsWith(end) && words.has(name.slice(0, -end.length)));
  const isUsed = (key: string) => {
    const [name = '', group = ''] = key.split('.').toReversed();
    // A position in a list, or a code with characters that are not allowed in identifiers.
    if (/^\d+$/.test(name) || !/^\w+$/.test(name)) return true;
    // A code of the system or of a protocol, looked up in its group.
    if (/^[A-Z][A-Z\d_]+$/.test(name) && words.has(group)) return true;
    return words.has(name) || isPutTogether(name);
  };
  return [...messages.keys()].filter((key) => !isUsed(key));
}

/** Keys of messages without a description in the English file, and of descriptions without a message. */
export function undescribedIn({ messages, descriptions }: CatalogueFile): string[] {
  const isDescribed = (key: string) => (descriptions.get(key)?.trim() ?? '') !== '';
  return [
    ...[...messages.keys()].filter((key) => !isDescribed(key)),
    ...[...descriptions.keys()].filter((key) => !messages.has(key)),
  ];
}

export const messagesIn = (text: string): ReadonlyMap<string, string> => readCatalogue(text).messages;
