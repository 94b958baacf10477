/** Messages of the reference. It is in English only, as the descriptions in the OpenAPI document are. */
import {
  isArgumentElement,
  isLiteralElement,
  isPluralElement,
  type MessageFormatElement,
} from '@formatjs/icu-messageformat-parser';
import { bind, type Values } from '../../../locales/bind.ts';
import type { ReferenceMessages } from '../../../locales/types/reference.ts';
import compiled from '../../../locales/en/reference.json';

const plurals = new Intl.PluralRules('en');

/**
 * Formats arguments and cardinal plurals, which is all that the reference uses. The library that the other pages use
 * would add about 10 % to this page.
 * @throws RangeError for any other element
 */
export function format(elements: readonly MessageFormatElement[], values: Values): string {
  return elements
    .map((element) => {
      if (isLiteralElement(element)) return element.value;
      if (isArgumentElement(element)) return values[element.value];
      if (!isPluralElement(element)) throw new RangeError();
      const amount = Number(values[element.value]);
      return format(element.options[plurals.select(amount)]?.value ?? [], values);
    })
    .join('');
}

export const messages = bind<ReferenceMessages>(compiled, (elements) => (values) => format(elements, values));
