/** Calls of the console's own API: same origin, session cookie, the CSRF token in a header, errors as a class. */
import {
  BACKGROUND_HEADER,
  CONSOLE_API,
  CSRF_HEADER,
  SIGNED_OUT_ERRORS,
} from '../../../../server/contract/console/common.ts';
import { isSomeoneHere } from './activity.ts';
import { reportReachable, reportUnreachable } from './connection.ts';

/** A call that was refused. `status` 0: Gatehouse did not answer at all. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** The whole body, for refusals that carry more than their name. */
  readonly body: Readonly<Record<string, unknown>>;
  /** When it is worth trying again; null where the server did not say. */
  readonly retryAfterS: number | null;

  constructor(
    status: number,
    code: string,
    message: string,
    {
      body = {},
      retryAfterS = null,
    }: { body?: Readonly<Record<string, unknown>>; retryAfterS?: number | null } = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.body = body;
    this.retryAfterS = retryAfterS;
  }
}

type Query = Readonly<Record<string, string | number | undefined>>;
type CallOptions = { query?: Query; body?: unknown; file?: File; signal?: AbortSignal };

let csrfToken = '';
let onSignedOut: () => void = () => undefined;
let onFactorNeeded: () => void = () => undefined;

/** Each session has a CSRF token of its own, known from signing in or from `/me`. */
export function setCsrfToken(token: string): void {
  csrfToken = token;
}

/** What happens when a call finds that the session has ended. */
export function whenSignedOut(handler: () => void): void {
  onSignedOut = handler;
}

/** What happens when a call finds that its operator has to set up a second factor first. */
export function whenFactorNeeded(handler: () => void): void {
  onFactorNeeded = handler;
}

/** @throws ApiError */
export const get = <T>(path: string, options: Pick<CallOptions, 'query' | 'signal'> = {}): Promise<T> =>
  call<T>('GET', path, options);

/** @throws ApiError */
export const send = <T = void>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<T> => call<T>(method, path, { body });

/** Sends a file as it is, under its own type. @throws ApiError */
export const sendFile = <T = void>(
  method: 'POST' | 'PUT',
  path: string,
  query: Query,
  file: File,
): Promise<T> => call<T>(method, path, { query, file });

async function call<T>(method: string, path: string, { query, body, file, signal }: CallOptions): Promise<T> {
  const headers = new Headers({ accept: 'application/json' });
  if (method !== 'GET') headers.set(CSRF_HEADER, csrfToken);
  else if (!isSomeoneHere()) headers.set(BACKGROUND_HEADER, '1');
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (file !== undefined) headers.set('content-type', file.type);
  let reply: Response;
  try {
    reply = await fetch(addressOf(path, query), {
      method,
      headers,
      credentials: 'same-origin',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(file === undefined ? {} : { body: file }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    reportUnreachable();
    throw new ApiError(0, 'unreachable', 'unreachable');
  }
  reportReachable();
  const text = await reply.text();
  if (reply.ok) return (text === '' ? undefined : JSON.parse(text)) as T;
  const refusal = refusalOf(reply, text);
  if (isSignedOut(refusal)) onSignedOut();
  if (refusal.code === 'second_factor_required') onFactorNeeded();
  throw refusal;
}

/** The address of a call with its query; empty values are left out. */
export function addressOf(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  }
  const search = parameters.toString();
  return `${CONSOLE_API}${path}${search === '' ? '' : `?${search}`}`;
}

/** An address for a plain link to a file of the API, such as an export. */
export const fileAddress = (path: string, query?: Query): string => addressOf(path, query);

/** Whether a refusal means that nobody is signed in any more. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof ApiError && (SIGNED_OUT_ERRORS as readonly string[]).includes(error.code);

function refusalOf({ status, headers }: Response, text: string): ApiError {
  let body: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) body = parsed as Record<string, unknown>;
  } catch {
    // A proxy's page, or nothing: the status has to do.
  }
  const code = typeof body['error'] === 'string' ? body['error'] : `http_${status}`;
  const message = typeof body['message'] === 'string' ? body['message'] : '';
  const retryAfter = headers.get('retry-after');
  return new ApiError(status, code, message, {
    body,
    retryAfterS: retryAfter === null ? null : Number(retryAfter),
  });
}

/** Reads are tried again when the server was busy or away; a refusal stays a refusal. */
export const worthRetrying = (failures: number, error: unknown): boolean =>
  failures < 2 && error instanceof ApiError && (error.status === 503 || error.status === 502);
