import { Fragment, type ReactNode } from 'react';

/** Private characters, which no keyboard types. */
const FIRST = 0xe000;
const MARK = /([\uE000-\uE00F])/;

/**
 * One sentence of a catalogue with elements in place of arguments, so that each language sets its own order and signs.
 * @param words gets a mark for each child, in their order, and returns the sentence
 */
export function Sentence({
  words,
  children,
}: {
  words: (...marks: string[]) => string;
  children: ReactNode | readonly ReactNode[];
}) {
  const elements: readonly ReactNode[] = Array.isArray(children) ? children : [children];
  const marks = elements.map((_, place) => String.fromCharCode(FIRST + place));
  return words(...marks)
    .split(MARK)
    .map((part, place) =>
      MARK.test(part) ? <Fragment key={place}>{elements[part.charCodeAt(0) - FIRST]}</Fragment> : part,
    );
}
