/** Turns a compiled catalogue into fields: texts stay texts, messages with arguments become functions. */
import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import type { Compiled } from './compile.ts';

/** Arguments of a message, by name. */
export type Values = Readonly<Record<string, string | number>>;

/** Formats one message with its arguments. */
type Formatter = (values: Values) => string;

type Bound = string | Formatter | { readonly [key: string]: Bound } | readonly Bound[];

/**
 * Numbered keys (`lines.1`, `lines.2`) become a list.
 * @param formatterOf makes the function of a message with arguments
 */
export function bind<Messages>(
  compiled: Compiled,
  formatterOf: (elements: readonly MessageFormatElement[]) => Formatter,
): Messages {
  const bound = (below: Compiled): Bound => {
    if (typeof below === 'string') return below;
    if (isElements(below)) return formatterOf(below);
    const entries = Object.entries(below).map(([key, value]) => [key, bound(value)] as const);
    return entries.every(([key], index) => key === String(index + 1))
      ? entries.map(([, value]) => value)
      : Object.fromEntries(entries);
  };
  return bound(compiled) as Messages;
}

type Elements = Extract<Compiled, readonly unknown[]>;

const isElements = (compiled: Compiled): compiled is Elements => Array.isArray(compiled);
