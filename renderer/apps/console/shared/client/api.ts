/** The console's own client: same origin, session cookie, the CSRF token in a header. */
import { queryOptions, type QueryKey } from '@tanstack/react-query';
import {
  BACKGROUND_HEADER,
  CONSOLE_API,
  CSRF_HEADER,
  SIGNED_OUT_ERRORS,
  TIME_HEADER,
} from '../../../../../server/contract/console/common.ts';
import type { ConsoleErrorCode } from '../../../../../server/contract/console/errors.ts';
import { PAGE_HEADER } from '../../../../../server/contract/console/changes.ts';
import type { ConsoleRoute } from '../../../../../server/contract/routes/route.ts';
import { addressOf, type AnyInput, type Args, type Client, createClient } from '../../../../http/client.ts';
import { RequestError } from '../../../../http/request-error.ts';
import { noteServerTime } from '../time/server-time.ts';
import { lineFetch, reportReachable, reportUnreachable } from './connection.ts';

/** This page among the open ones. */
export const PAGE_ID = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) =>
  part.toString(36),
).join('-');

let csrfToken = '';
let onSignedOut: () => void = () => undefined;
let onAccessChanged: () => void = () => undefined;

/** Each session has its own CSRF token, known from signing in or from `/me`. */
export function setCsrfToken(token: string): void {
  csrfToken = token;
}

/** Called when a call finds that the session has ended. */
export function whenSignedOut(handler: () => void): void {
  onSignedOut = handler;
}

/** Refusals of calls that the page would not have offered if it knew who is signed in now, and what they may do. */
const ACCESS_ERRORS: readonly string[] = [
  'second_factor_required',
  'role_too_low',
  'installation_wide',
  // Another tab of the browser has signed in since.
  'csrf_token_required',
] satisfies ConsoleErrorCode[];

/** Called when a call finds that the operator or their permissions have changed. */
export function whenAccessChanged(handler: () => void): void {
  onAccessChanged = handler;
}

/** Calls with `query` added to each. */
export const clientWith = (query: Readonly<Record<string, string>>): Client =>
  createClient({
    query,
    fetch: timedFetch,
    base: CONSOLE_API,
    credentials: 'same-origin',
    headers: ({ method }): Record<string, string> => {
      if (method !== 'GET') return { [CSRF_HEADER]: csrfToken, [PAGE_HEADER]: PAGE_ID };
      return isSomeoneHere() ? {} : { [BACKGROUND_HEADER]: '1' };
    },
    onOutcome(error) {
      if (error?.status === 0) reportUnreachable();
      else reportReachable();
      if (isSignedOut(error)) onSignedOut();
      if (error !== null && ACCESS_ERRORS.includes(error.code)) onAccessChanged();
    },
  });

async function timedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await lineFetch(...request);
  noteServerTime(response.headers.get(TIME_HEADER));
  return response;
}

/** @throws RequestError */
export const { call } = clientWith({});

/** The query of a route's reply. */
export const reading = <R extends ConsoleRoute>(queryKey: QueryKey, route: R, ...[input]: Args<R>) =>
  queryOptions({
    queryKey,
    queryFn: ({ signal }) => call(route, ...([{ ...input, signal }] as unknown as Args<R>)),
  });

/** The address of a file of the API, such as an export, for a plain link. */
export const fileAddress = (
  { method, path }: Pick<ConsoleRoute, 'method' | 'path'>,
  { params, query }: Pick<AnyInput, 'params' | 'query'>,
): string => CONSOLE_API + addressOf({ method, path }, { params, query });

/** Whether a refusal means that nobody is signed in any more. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof RequestError && (SIGNED_OUT_ERRORS as readonly string[]).includes(error.code);

/** Reads are retried if the server was busy or away; refusals are not. */
export const worthRetrying = (failures: number, error: unknown): boolean =>
  failures < 2 && error instanceof RequestError && (error.status === 503 || error.status === 502);

/** A page's automatic calls must not keep the session active, so it notes whether a person is there. */
const PRESENT_MS = 10_000;

/** The last input by the machine's clock, which may be set back, and by the page's, which may stand still in sleep. */
let lastInput = { clockMs: 0, pageMs: -Infinity };

/** Starts watching keys, clicks and touches. Called once, when the page starts. */
export function watchActivity(): void {
  const note = (): void => {
    lastInput = { clockMs: Date.now(), pageMs: performance.now() };
  };
  for (const kind of ['pointerdown', 'keydown', 'wheel', 'touchstart']) {
    window.addEventListener(kind, note, { passive: true, capture: true });
  }
  note();
}

/** Whether someone typed, clicked or scrolled within the last `withinMs`. */
export const isSomeoneHere = (withinMs = PRESENT_MS): boolean =>
  Math.max(Date.now() - lastInput.clockMs, performance.now() - lastInput.pageMs) < withinMs;
