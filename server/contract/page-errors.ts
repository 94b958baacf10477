/** Error reports from pages, for the server's log. */
import { type Static, Type } from 'typebox';
import { MAX_NAME_CHARS } from './text-bounds.ts';

export const PAGE_ERRORS_PATH = '/page-errors';

/** Maximum size of a report in bytes. */
export const MAX_PAGE_ERROR_BYTES = 8 * 1024;

/** Maximum length of each text of a report in characters; pages truncate their texts. */
export const PAGE_ERROR_CHARS = { name: 100, message: 500, stack: MAX_PAGE_ERROR_BYTES / 4 } as const;

const PAGES = ['hosted', 'my', 'scan', 'ticket', 'kiosk', 'console', 'docs'] as const;
export type PageName = (typeof PAGES)[number];

/** Where an error was caught: rendering, start-up, a handler, a promise, or loading the check. */
const PAGE_ERROR_KINDS = ['render', 'start', 'error', 'rejection', 'load'] as const;
export type PageErrorKind = (typeof PAGE_ERROR_KINDS)[number];

export const PageErrorReport = Type.Object({
  page: Type.Enum([...PAGES]),
  kind: Type.Enum([...PAGE_ERROR_KINDS]),
  /** Version of the page, which may be older than the server. */
  version: Type.String({ maxLength: MAX_NAME_CHARS }),
  name: Type.String({ maxLength: PAGE_ERROR_CHARS.name }),
  message: Type.String({ maxLength: PAGE_ERROR_CHARS.message }),
  stack: Type.String({ maxLength: PAGE_ERROR_CHARS.stack }),
});
export type PageErrorReport = Static<typeof PageErrorReport>;
