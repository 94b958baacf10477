/** The only way in which pages call the server: operations of `contract/routes`, typed by their schemas. */
import type { BodyOf, ParamsOf, QueryOf, ReplyOf, Route } from '../../server/contract/routes/route.ts';
import { isPortal } from './portal.ts';
import { errorOf, RequestError } from './request-error.ts';

/** The part of a route that a page needs; its build drops the rest. */
type Operation = Pick<Route, 'method' | 'path'>;

type Needed<Name extends string, T> = object extends T ? { [N in Name]?: T } : { [N in Name]: T };
/** For an operation of the console about one company and partition. */
type ScopeNames<R> = R extends { readonly role: 'public' } | { readonly about: string }
  ? never
  : R extends { readonly role: string }
    ? 'company_id' | 'partition'
    : never;
/** Readonly for the page, which does not change what it sends. */
type Sent<T> = T extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Sent<T[Name]> }
    : T;
type Named<T> = { [Name in keyof T]: string | number };

/**
 * The input of a call. Values of the query may come from the page's address: the server checks them, and empty ones
 * are left out.
 */
type Input<R> = Needed<'params', Named<ParamsOf<R>>> &
  (R extends { readonly body: object } ? { body: Sent<BodyOf<R>> } : { body?: undefined }) & {
    query?: { readonly [Name in keyof QueryOf<R> | ScopeNames<R>]?: string | number | undefined };
    /** A file with its own type, instead of a JSON body. */
    file?: Blob;
    signal?: AbortSignal;
    /** The call outlives the page. */
    keepalive?: boolean;
    /** Stands for one act: the same call sent again with it has no second effect. */
    onceKey?: string;
  };
/** The input is optional if the operation needs none. */
export type Args<R> = object extends Input<R> ? [input?: Input<R>] : [input: Input<R>];

/** All possible inputs, for generic code. */
export type AnyInput = {
  params?: Readonly<Record<string, string | number>>;
  query?: Query;
  body?: unknown;
  file?: Blob;
  signal?: AbortSignal;
  keepalive?: boolean;
  onceKey?: string;
};
type Query = Readonly<Record<string, string | number | undefined>>;

type ClientOptions = {
  fetch: typeof fetch;
  /** In front of every path. */
  base?: string;
  /** Sent with every call. */
  query?: Query;
  credentials: RequestCredentials;
  /** Headers of a call, which identify the caller. */
  headers: (route: Operation) => Readonly<Record<string, string>>;
  /** Called with each reply and each failure. */
  onOutcome?: (error: RequestError | null) => void;
};

export type Client = {
  /** @throws RequestError */
  call: <R extends Route>(route: R, ...args: Args<R>) => Promise<ReplyOf<R>>;
  /**
   * Like `call`, with the server's time of the answer in ms.
   * @throws RequestError
   */
  callTimed: <R extends Route>(
    route: R,
    ...args: Args<R>
  ) => Promise<{ reply: ReplyOf<R>; serverMs: number }>;
  /**
   * The reply itself, for example a stream of events.
   * @throws RequestError
   */
  send: <R extends Route>(route: R, ...args: Args<R>) => Promise<Response>;
};

export function createClient(options: ClientOptions): Client {
  const { base = '', credentials, onOutcome = () => undefined } = options;

  const send: Client['send'] = async (route, ...[input = {}]) => {
    const { params, query, body, file, signal, keepalive, onceKey } = input as AnyInput;
    const headers = new Headers({ accept: 'application/json', ...options.headers(route) });
    if (body !== undefined) headers.set('content-type', 'application/json');
    if (file !== undefined) headers.set('content-type', file.type);
    if (onceKey !== undefined) headers.set('idempotency-key', onceKey);
    const content = file ?? (body === undefined ? undefined : JSON.stringify(body));
    let response: Response;
    try {
      response = await options.fetch(
        base + addressOf(route, { params, query: { ...options.query, ...query } }),
        {
          method: route.method,
          headers,
          credentials,
          cache: 'no-store',
          // Only a network that wants a sign-in redirects.
          redirect: 'manual',
          referrerPolicy: 'no-referrer',
          ...(content !== undefined && { body: content }),
          ...(signal !== undefined && { signal }),
          ...(keepalive !== undefined && { keepalive }),
        },
      );
    } catch (error) {
      // Aborted by the page; a timeout means that the server did not answer.
      if (error instanceof DOMException && error.name === 'AbortError') throw error;
      throw failed(new RequestError('offline'));
    }
    if (isPortal(response)) throw failed(new RequestError('portal'));
    if (!response.ok) throw failed(await errorOf(response));
    onOutcome(null);
    return response;
  };
  const failed = (error: RequestError): RequestError => {
    onOutcome(error);
    return error;
  };
  const callTimed: Client['callTimed'] = async (route, ...args) => {
    const response = await send(route, ...args);
    const serverMs = Date.parse(response.headers.get('date') ?? '') || Date.now();
    return replyOf(route, response).then((reply) => ({ reply, serverMs }));
  };

  return { call: async (route, ...args) => (await callTimed(route, ...args)).reply, callTimed, send };
}

/** The reply has the type of its schema, because the server sends nothing else. */
async function replyOf<R extends Route>(_route: R, response: Response): Promise<ReplyOf<R>> {
  try {
    const text = await response.text();
    return (text === '' ? undefined : JSON.parse(text)) as ReplyOf<R>;
  } catch {
    // Truncated.
    throw new RequestError('offline');
  }
}

/** The path of a call with its query; empty values are left out. */
export function addressOf(
  { path }: Operation,
  { params = {}, query = {} }: { params?: AnyInput['params'] | undefined; query?: Query | undefined },
): string {
  const place = path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? place : `${place}?${text}`;
}

/**
 * A signal that aborts with the first of several. `AbortSignal.any` does the same, but is missing before iOS 17.4 and
 * Chrome 116. Stops listening to the others once it has aborted.
 */
export function anySignal(signals: readonly AbortSignal[]): AbortSignal {
  const joined = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) joined.abort(signal.reason);
    signal.addEventListener('abort', () => joined.abort(signal.reason), { signal: joined.signal });
  }
  return joined.signal;
}
