/** Words and phrases that plain English does not need, and how to find them in text and in source code. */

/** What a rule finds, and what to write instead. */
type ProseRule = { name: string; pattern: RegExp; instead: string };

export const PROSE_RULES: readonly ProseRule[] = [
  { name: 'whoever', pattern: /\bwho(?:m)?ever\b/gi, instead: 'name the person or the role' },
  { name: 'of now', pattern: /\bof now\b/gi, instead: '“current”' },
  { name: 'goes on', pattern: /\b(?:goes|go|went|going) on\b(?! to\b)/gi, instead: '“continues”' },
  {
    name: 'by itself',
    pattern: /\bby (?:itself|themselves)\b/gi,
    instead: '“automatically”, or leave it out',
  },
  { name: 'stands in', pattern: /\bstands? in\b(?! for\b)/gi, instead: '“is in”, “is written in”' },
  {
    name: 'what is … as a noun',
    pattern: /\b(?:of|in|to|from|with|for|about|on|than|and|that) what (?:is|was|are|were)\b/gi,
    instead: 'name the thing',
  },
  { name: 'no one fits', pattern: /\b(?:nothing|nobody) (?:fits|waits)\b/gi, instead: '“no results”' },
  { name: 'anew', pattern: /\banew\b/gi, instead: '“again”' },
  { name: 'mend', pattern: /\bmend(?:s|ed|ing)?\b/gi, instead: '“fix”' },
  { name: 'deceit', pattern: /\bdeceit\b/gi, instead: '“spoofing”; to staff “possible photo or screen”' },
  { name: 'let go', pattern: /\b(?:lets?|letting) go\b/gi, instead: '“release”' },
  {
    name: 'before the camera',
    pattern: /\bbefore the camera\b(?!\s+(?:starts|is on)\b)/gi,
    instead: '“at the camera”',
  },
  { name: 'time was over', pattern: /\btime (?:was|is) over\b/gi, instead: '“expired”' },
  { name: 'said outright', pattern: /\bsaid outright\b/gi, instead: '“explicit”' },
  { name: 'belong together', pattern: /\bnot belong together\b/gi, instead: 'say what is wrong' },
  { name: 'deed', pattern: /\bdeeds?\b/gi, instead: '“event”' },
  { name: 'duties', pattern: /\bduties\b/gi, instead: '“background jobs”' },
  { name: 'shelf', pattern: /\bshel(?:f|ves)\b/gi, instead: '“partition index”' },
  { name: 'of its own accord', pattern: /\bof (?:its|their) own accord\b/gi, instead: '“automatically”' },
  { name: 'told of', pattern: /\b(?:is|are|was|were|be) told of\b/gi, instead: '“gets”, “is notified of”' },
  { name: 'hears of', pattern: /\bhea(?:rs?|rd) of\b/gi, instead: '“learns about”, “is reported”' },
  { name: 'made-up', pattern: /\bmade-up\b/gi, instead: '“synthetic”, “invalid”' },
  { name: 'line of keys', pattern: /\b(?:lines? of (?:API-)?keys|key lines?)\b/gi, instead: '“key family”' },
  { name: 'of nobody', pattern: /\b(?:vectors|faces) of nobody\b/gi, instead: '“synthetic”' },
  { name: 'where left out', pattern: /\bwhere left out\b/gi, instead: '“by default”' },
  { name: 'null where', pattern: /\bnull where\b/gi, instead: '“null if”' },
  { name: 'is none', pattern: /\b(?:that|which) (?:is|are) none\b/gi, instead: '“is invalid”, “is not a …”' },
  { name: 'under way', pattern: /\bunder way\b/gi, instead: '“in progress”, “current”' },
  { name: 'all the same', pattern: /\ball the same\b/gi, instead: '“anyway”' },
];

/** How often each rule finds something in a text, by the rule’s name; rules that find nothing are absent. */
export function findingsIn(text: string): ReadonlyMap<string, number> {
  const counts = PROSE_RULES.map(({ name, pattern }) => [name, text.match(pattern)?.length ?? 0] as const);
  return new Map(counts.filter(([, count]) => count > 0));
}

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const TEST_NAME = /\b(?:test|it|describe)(?:\.\w+)?\(\s*(?:'((?:[^'\\\n]|\\.)*)'|`([^`]*)`)/g;
const STRING = /'((?:[^'\\\n]|\\.)*)'|`([^`]*)`/g;

/** Line breaks and comment marks would hide phrases that continue on the next line. */
export const commentsIn = (source: string): string =>
  (source.match(COMMENT) ?? []).join('\n').replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' ');

export const testNamesIn = (source: string): string =>
  [...source.matchAll(TEST_NAME)].map(([, quoted, template]) => quoted ?? template ?? '').join('\n');

export const stringsIn = (source: string): string =>
  [...source.replaceAll(COMMENT, '').matchAll(STRING)]
    .map(([, quoted, template]) => quoted ?? template ?? '')
    .join('\n');

/** Code in backticks is not prose. */
export const proseOf = (markdown: string): string =>
  markdown.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '').replaceAll(/\n(?!\n)/g, ' ');
