/** A badge or wristband from its template, in the page that prints it and where it is designed. */
import type { BadgeValues } from '../../server/contract/badges.ts';
import './badge.css';

export type Badge = { template: string; widthMm: number; heightMm: number; values: BadgeValues };

const PARTS = /<(\/?)(h1|h2|p|strong|em|small|br|hr)>|\{(name|kind|event|order)\}|[^<{]+/g;
/** Below this nobody can read it at arm's length; what doesn't fit then is cut off. */
const SMALLEST = 0.3;
const STEP = 0.1;

/** Values become text, whatever they contain. Elements without a value take no room. */
export function badgeOf({ template, widthMm, heightMm, values }: Badge): HTMLElement {
  const paper = document.createElement('div');
  paper.className = 'badge';
  paper.style.width = `${widthMm}mm`;
  paper.style.height = `${heightMm}mm`;
  const words = document.createElement('div');
  words.className = 'badge__words';
  paper.append(words);
  const open: HTMLElement[] = [words];
  for (const [text, closing, tag, field] of template.matchAll(PARTS)) {
    const parent = open.at(-1) ?? words;
    if (tag === undefined) {
      parent.append(field === undefined ? text : (values[field as keyof BadgeValues] ?? ''));
    } else if (closing === '/') {
      const at = open.findLastIndex(({ localName }) => localName === tag);
      if (at > 0) open.length = at;
    } else {
      const made = document.createElement(tag);
      parent.append(made);
      if (tag !== 'br' && tag !== 'hr') open.push(made);
    }
  }
  return paper;
}

/** Makes the words of a badge in the document smaller until they fit. */
export function fitBadge(paper: HTMLElement): void {
  for (let scale = 1; scale >= SMALLEST; scale -= STEP) {
    paper.style.setProperty('--badge-scale', scale.toFixed(1));
    if (paper.scrollHeight <= paper.clientHeight && paper.scrollWidth <= paper.clientWidth) return;
  }
}
