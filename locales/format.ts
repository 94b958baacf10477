/** Makes a compiled catalogue usable in one language: texts stay texts, messages with arguments become functions. */
import { IntlMessageFormat } from 'intl-messageformat';
import type { Compiled } from './compile.ts';

/** A screen or notice with a title and a text. */
export type TitleAndText = { title: string; text: string };

type Values = Readonly<Record<string, string | number>>;

type Bound = string | ((values: Values) => string) | { readonly [key: string]: Bound } | readonly Bound[];

/**
 * Numbered keys (`lines.1`, `lines.2`) become a list.
 * @param language BCP 47 tag; determines plural forms and number formats
 */
export function bindMessages<Messages>(compiled: Compiled, language: string): Messages {
  return bind(compiled, language) as Messages;
}

function bind(compiled: Compiled, language: string): Bound {
  if (typeof compiled === 'string') return compiled;
  if (isElements(compiled)) return formatter(compiled, language);
  const entries = Object.entries(compiled).map(([key, value]) => [key, bind(value, language)] as const);
  return entries.every(([key], index) => key === String(index + 1))
    ? entries.map(([, value]) => value)
    : Object.fromEntries(entries);
}

type Elements = Extract<Compiled, readonly unknown[]>;

const isElements = (compiled: Compiled): compiled is Elements => Array.isArray(compiled);

function formatter(elements: Elements, language: string): (values: Values) => string {
  let format: IntlMessageFormat | undefined;
  return (values) => {
    format ??= new IntlMessageFormat([...elements], language);
    return String(format.format(values));
  };
}
