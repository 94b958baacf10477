/**
 * Text of others in a terminal: control characters give it orders (colours, the title, the clipboard), and direction marks
 * make a line read as another one. The two joiners stay, because Persian and Hindi need them and a terminal ignores them.
 */
const UNSEEN =
  '\\u007f-\\u009f\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb';
const IN_LINES = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f${UNSEEN}]|\\p{Cs}`, 'gu');
const IN_LINE = new RegExp(`[\\u0000-\\u001f${UNSEEN}]|\\p{Cs}`, 'gu');

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r' };
/** As JSON escapes it, so that JSON stays JSON. */
const escaped = (character: string): string =>
  SHORT[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** One line, whatever the text contains. */
export const visibleLine = (text: string): string => text.replace(IN_LINE, escaped);

/** Keeps its line breaks and tabs. */
export const visibleLines = (text: string): string => text.replace(IN_LINES, escaped);
