/** Words and phrases that plain English does not need, and how to find them in text and in source code. */

/** What a rule finds, and what to write instead. */
type ProseRule = { pattern: RegExp; instead: string };

const PROSE_RULES: readonly ProseRule[] = [
  { pattern: /\bwho(?:m)?ever\b/gi, instead: 'name the person or the role' },
  { pattern: /\bof now\b/gi, instead: '“current”' },
  { pattern: /\b(?:goes|go|went|going) on\b(?! to\b)/gi, instead: '“continues”' },
  {
    pattern: /\bby (?:itself|themselves)\b/gi,
    instead: '“automatically”, or leave it out',
  },
  { pattern: /\bstands? in\b(?! for\b)/gi, instead: '“is in”, “is written in”' },
  {
    pattern: /\b(?:of|in|to|from|with|for|about|on|than|and|that) what (?:is|was|are|were)\b/gi,
    instead: 'name the thing',
  },
  { pattern: /\b(?:nothing|nobody) (?:fits|waits)\b/gi, instead: '“no results”' },
  { pattern: /\banew\b/gi, instead: '“again”' },
  { pattern: /\bmend(?:s|ed|ing)?\b/gi, instead: '“fix”' },
  { pattern: /\bdeceit\b/gi, instead: '“spoofing”; to staff “possible photo or screen”' },
  { pattern: /\b(?:lets?|letting) go\b/gi, instead: '“release”' },
  {
    pattern: /\bbefore the camera\b(?!\s+(?:starts|is on)\b)/gi,
    instead: '“at the camera”',
  },
  { pattern: /\btime (?:was|is) over\b/gi, instead: '“expired”' },
  { pattern: /\bsaid outright\b/gi, instead: '“explicit”' },
  { pattern: /\bnot belong together\b/gi, instead: 'say what is wrong' },
  { pattern: /\bdeeds?\b/gi, instead: '“event”' },
  { pattern: /\bduties\b/gi, instead: '“background jobs”' },
  { pattern: /\bshel(?:f|ves)\b/gi, instead: '“partition index”' },
  { pattern: /\bof (?:its|their) own accord\b/gi, instead: '“automatically”' },
  { pattern: /\b(?:is|are|was|were|be) told of\b/gi, instead: '“gets”, “is notified of”' },
  { pattern: /\bhea(?:rs?|rd) of\b/gi, instead: '“learns about”, “is reported”' },
  { pattern: /\bmade-up\b/gi, instead: '“synthetic”, “invalid”' },
  { pattern: /\b(?:lines? of (?:API-)?keys|key lines?)\b/gi, instead: '“key family”' },
  { pattern: /\b(?:vectors|faces) of nobody\b/gi, instead: '“synthetic”' },
  { pattern: /\bwhere left out\b/gi, instead: '“by default”' },
  { pattern: /\bnull where\b/gi, instead: '“null if”' },
  { pattern: /\b(?:that|which) (?:is|are) none\b/gi, instead: '“is invalid”, “is not a …”' },
  { pattern: /\bunder way\b/gi, instead: '“in progress”, “current”' },
  { pattern: /\ball the same\b/gi, instead: '“anyway”' },
  { pattern: /\bstands? against\b/gi, instead: '“conflicts with”, “problem of”' },
  { pattern: /\bhardly\b/gi, instead: '“barely”, “unlikely”' },
  { pattern: /\bfor good\b/gi, instead: '“permanently”' },
  { pattern: /\bmov(?:es|ed) on\b(?! the\b)/gi, instead: '“continues”, “is incremented”' },
  { pattern: /\bneither way\b/gi, instead: '“neither for nor against”' },
  { pattern: /\bshut(?:s|ting)? (?:\w+ )*?out\b/gi, instead: '“block”, “revoke access”' },
  { pattern: /\b(?:it|name|zone|server) is none\b/gi, instead: '“is not a …”' },
  {
    pattern: /\bcountdown(?: such as [^.]{0,40})? follows\b/gi,
    instead: 'one ICU message with an argument',
  },
];

/** Each phrase that a rule finds in a text, with what to write instead, in the order of the rules. */
export const findingsIn = (text: string): { found: string; instead: string }[] =>
  PROSE_RULES.flatMap(({ pattern, instead }) =>
    (text.match(pattern) ?? []).map((found) => ({ found, instead })),
  );

const LONGEST_SUBJECT = 72;

/** Lines of a log that are too long for a commit’s subject. */
export const longSubjectsIn = (log: string): string[] =>
  log.split('\n').filter((subject) => Array.from(subject).length > LONGEST_SUBJECT);

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
