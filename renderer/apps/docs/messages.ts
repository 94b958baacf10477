/** Messages of the reference. It is in English only, as the descriptions in the OpenAPI document are. */
import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser';
import { bind, type Values } from '../../../locales/bind.ts';
import type { Compiled } from '../../../locales/compile.ts';
import type { ReferenceMessages } from '../../../locales/types/reference.ts';
import compiled from '../../../locales/en/reference.json';

const LANGUAGE = 'en';
const numbers = new Intl.NumberFormat(LANGUAGE);
const plurals = new Intl.PluralRules(LANGUAGE);

/**
 * Formats arguments and cardinal plurals, which is all that the reference uses. The library that the other pages use
 * would add about 10 % to this page.
 * @throws RangeError for any other element
 */
export function format(elements: readonly MessageFormatElement[], values: Values, count = 0): string {
  return elements
    .map((element) => {
      switch (element.type) {
        case TYPE.literal:
          return element.value;
        case TYPE.argument:
          return String(values[element.value]);
        case TYPE.pound:
          return numbers.format(count);
        case TYPE.plural: {
          const amount = Number(values[element.value]);
          const form = element.options[plurals.select(amount)] ?? element.options['other'];
          return format(form?.value ?? [], values, amount);
        }
        default:
          throw new RangeError(`The reference does not format elements of type ${element.type}.`);
      }
    })
    .join('');
}

export const messages = bind<ReferenceMessages>(
  compiled as Compiled,
  (elements) => (values) => format(elements, values),
);
