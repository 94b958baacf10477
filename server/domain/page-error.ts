/** Makes an error that a page reported safe to log: bounded, without addresses, tokens or personal data. */

type LoggedError = { name: string; message: string; frames: string[] };

const MAX_MESSAGE_CHARS = 300;
const MAX_FRAMES = 10;
const MAX_USER_AGENT_CHARS = 300;
const HIDDEN = '…';

const ADDRESS = /\b(?:[a-z][a-z0-9+.-]*:\/\/|data:|blob:|www\.)[^\s'"`<>]*/gi;
const PATH_OR_QUERY = /(?:\/[\w%~.:@-]+)+\/?(?:[?#][^\s'"`<>]*)?|[?#&][\w.-]+=[^\s'"`<>]*/g;
const EMAIL = /[^\s@'"<>]+@[^\s@'"<>]+/g;
const IP = /\b\d{1,3}(?:\.\d{1,3}){3}\b|(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}/gi;
/** IDs, tokens and codes: long runs of characters, or shorter ones that mix letters and digits; phone numbers. */
const LONG_RUN = /[\w-]{24,}/g;
const MIXED_RUN = /\b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{8,}/gi;
const DIGITS = /\+?\d[\d\s()-]{4,}\d/g;

/** @returns the text on one line, without anything that could identify a person, a run or an address */
export function withoutSecrets(text: string, maxChars: number): string {
  return [ADDRESS, EMAIL, IP, PATH_OR_QUERY, LONG_RUN, MIXED_RUN, DIGITS]
    .reduce((left, pattern) => left.replace(pattern, HIDDEN), printable(text.slice(0, 4 * maxChars)))
    .slice(0, maxChars);
}

/** `fn@https://host/assets/hosted/index-x.js:1:2` (Firefox, Safari) and `at fn (https://…:1:2)` (Chrome). */
const FRAME =
  /^(?:\s*at )?(?:async )?([\w$.<>/[\] ]*?)[@ (]*https?:\/\/[^/\s]+\/assets\/([a-z]+\/[\w.-]{1,60}\.js)(?:\?[^:\s]*)?:(\d{1,7}):(\d{1,7})\)?$/;

/** Keeps only frames of our own files, as `function file:line:column`. */
function framesOf(stack: string): string[] {
  return stack
    .split('\n')
    .flatMap((line) => {
      const [, name = '', file, row, column] = FRAME.exec(line.slice(0, 500)) ?? [];
      if (file === undefined) return [];
      return [`${/^[\w$.<>]{1,40}$/.test(name.trim()) ? name.trim() : '?'} ${file}:${row}:${column}`];
    })
    .slice(0, MAX_FRAMES);
}

export function loggedError({
  name,
  message,
  stack,
}: {
  name: string;
  message: string;
  stack: string;
}): LoggedError {
  return {
    name: /^[A-Za-z]{1,40}$/.test(name) ? name : 'Error',
    message: withoutSecrets(message, MAX_MESSAGE_CHARS),
    frames: framesOf(stack),
  };
}

/** One of our versions, such as `0.1.0` or `1.2.0-beta.1`. Anything else is ignored. */
export const loggedVersion = (version: string): string =>
  /^\d{1,4}(\.\d{1,4}){0,2}(-[a-z0-9.]{1,20})?$/.test(version) ? version : 'unknown';

export const loggedUserAgent = (userAgent: string | undefined): string =>
  printable(userAgent ?? '').slice(0, MAX_USER_AGENT_CHARS);

const printable = (text: string): string => text.replace(/[^\x20-\x7e\u00a0-\ud7ff]+/g, ' ');
