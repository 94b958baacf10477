/** Makes a compiled catalogue usable in one language. */
import { IntlMessageFormat } from 'intl-messageformat';
import { bind } from './bind.ts';
import type { Compiled } from './compile.ts';

/** A screen or notice with a title and a text. */
export type TitleAndText = { title: string; text: string };

/** @param language BCP 47 tag; determines plural forms and number formats */
export function bindMessages<Messages>(compiled: Compiled, language: string): Messages {
  return bind(compiled, (elements) => {
    let format: IntlMessageFormat | undefined;
    return (values) => {
      format ??= new IntlMessageFormat([...elements], language);
      return String(format.format(values));
    };
  });
}
