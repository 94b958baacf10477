/** Reports a page's errors to the server's log. The server shortens them and removes addresses and tokens. */
import {
  PAGE_ERROR_CHARS,
  PAGE_ERRORS_PATH,
  type PageErrorKind,
  type PageErrorReport,
  type PageName,
} from '../../server/contract/page-errors.ts';

/** An error that repeats with every frame adds nothing. */
const MAX_REPORTS = 5;

/** Inserted by the build. */
declare const GATEHOUSE_VERSION: string;

let page: PageName = 'hosted';
const reported = new Set<string>();

/** Deliberate actions of the browser or the page. */
const isExpected = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

/** Sends each different error once. Never throws. */
export function reportPageError(kind: PageErrorKind, error: unknown): void {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const key = `${name} ${message}`;
  if (isExpected(error) || reported.has(key) || reported.size >= MAX_REPORTS) return;
  reported.add(key);
  const report: PageErrorReport = {
    page,
    kind,
    version: GATEHOUSE_VERSION,
    name: name.slice(0, PAGE_ERROR_CHARS.name),
    message: message.slice(0, PAGE_ERROR_CHARS.message),
    stack: stack.slice(0, PAGE_ERROR_CHARS.stack),
  };
  const init: RequestInit = {
    method: 'POST',
    body: JSON.stringify(report),
    keepalive: true,
    credentials: 'omit',
  };
  fetch(PAGE_ERRORS_PATH, init).catch(() => undefined);
}

/** From now on reports uncaught errors of our own scripts, not of extensions or the surrounding app. */
export function watchPageErrors(name: PageName): void {
  page = name;
  const isOwn = (error: unknown): error is Error =>
    error instanceof Error && (error.stack ?? '').includes(location.origin);
  addEventListener('error', ({ error }: ErrorEvent) => {
    if (isOwn(error)) reportPageError('error', error);
  });
  addEventListener('unhandledrejection', ({ reason }) => {
    if (isOwn(reason)) reportPageError('rejection', reason);
  });
}
