/** A badge or wristband from its template, in the page that prints it and where it is designed. */
import type { BadgeValues } from '../../server/contract/badges.ts';
import './badge.css';

export type Badge = { template: string; widthMm: number; heightMm: number; values: BadgeValues };

const PARTS = /<(\/?)(h1|h2|p|strong|em|small|br|hr)>|\{(name|kind|event|order)\}|[^<{]+/g;
/** What stands between two values, such as a dot or a bracket. */
const SEPARATOR = /^[^\p{L}\p{N}]+$/u;
/** Tenths of the usual size down to which words stay whole. */
const SMALLEST_WHOLE = 4;
/** Below this nobody can read it at arm's length; what doesn't fit then is cut off. */
const SMALLEST = 3;

/** Values become text, whatever they contain. Elements without a value take no room, nor does what separates one from another. */
export function badgeOf({ template, widthMm, heightMm, values }: Badge): HTMLElement {
  const paper = document.createElement('div');
  paper.className = 'badge';
  paper.style.width = `${widthMm}mm`;
  paper.style.height = `${heightMm}mm`;
  const words = document.createElement('div');
  words.className = 'badge__words';
  paper.append(words);
  const open: HTMLElement[] = [words];
  const parts = [...template.matchAll(PARTS)];
  const valueAt = (at: number) => {
    const field = parts[at]?.[3] as keyof BadgeValues | undefined;
    return field && (values[field] ?? '');
  };
  for (const [at, [text, closing, tag]] of parts.entries()) {
    const parent = open.at(-1) ?? words;
    const value = valueAt(at);
    if (value !== undefined) {
      // Its direction is its own, so that it changes the order of nothing beside it.
      if (value !== '') parent.append(Object.assign(document.createElement('bdi'), { textContent: value }));
    } else if (tag === undefined) {
      const isBesideNothing = valueAt(at - 1) === '' || valueAt(at + 1) === '';
      if (!isBesideNothing || !SEPARATOR.test(text)) parent.append(text);
    } else if (closing === '/') {
      const begin = open.findLastIndex(({ localName }) => localName === tag);
      if (begin > 0) open.length = begin;
    } else {
      const made = document.createElement(tag);
      parent.append(made);
      if (tag !== 'br' && tag !== 'hr') open.push(made);
    }
  }
  return paper;
}

/** Makes the words of a badge in the document smaller until they fit. Only a word that is too long even then is broken. */
export function fitBadge(paper: HTMLElement): void {
  const fits = (tenths: number, isBroken: boolean): boolean => {
    paper.style.setProperty('--badge-scale', `${tenths / 10}`);
    paper.classList.toggle('badge--broken', isBroken);
    return paper.scrollHeight <= paper.clientHeight && paper.scrollWidth <= paper.clientWidth;
  };
  for (let tenths = 10; tenths >= SMALLEST_WHOLE; tenths -= 1) if (fits(tenths, false)) return;
  for (let tenths = SMALLEST_WHOLE; tenths >= SMALLEST; tenths -= 1) if (fits(tenths, true)) return;
}
