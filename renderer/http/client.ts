/** The one way in which pages call the server: operations of `contract/routes`, typed by their schemas. */
import type { BodyOf, ParamsOf, QueryOf, ReplyOf, Route } from '../../server/contract/routes/route.ts';
import { errorOf, RequestError } from './request-error.ts';

/** What a page needs of a route; its build keeps nothing else. */
type Operation = Pick<Route, 'method' | 'path'>;

type Needed<Name extends string, T> = object extends T ? { [N in Name]?: T } : { [N in Name]: T };
/** Of an operation of the console that is about one company and partition. */
type ScopeNames<R> = R extends { readonly role: 'public' } | { readonly about: string }
  ? never
  : R extends { readonly role: string }
    ? 'company_id' | 'partition'
    : never;
/** As the page has it: what is sent is not changed. */
type Sent<T> = T extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Sent<T[Name]> }
    : T;
type Named<T> = { [Name in keyof T]: string | number };

/**
 * What goes along with a call. Values of the query may come from the page's address: the server checks them, and empty
 * ones are left out.
 */
export type Input<R> = Needed<'params', Named<ParamsOf<R>>> &
  (R extends { readonly body: object } ? { body: Sent<BodyOf<R>> } : { body?: undefined }) & {
    query?: { readonly [Name in keyof QueryOf<R> | ScopeNames<R>]?: string | number | undefined };
    /** A file as it is, under its own type, in the place of a JSON body. */
    file?: Blob;
    signal?: AbortSignal;
    /** The call outlives the page. */
    keepalive?: boolean;
  };
/** The input may be left out where the operation needs none. */
export type Args<R> = object extends Input<R> ? [input?: Input<R>] : [input: Input<R>];

/** All that inputs may hold, for code that is given any of them. */
export type AnyInput = {
  params?: Readonly<Record<string, string | number>>;
  query?: Query;
  body?: unknown;
  file?: Blob;
  signal?: AbortSignal;
  keepalive?: boolean;
};
type Query = Readonly<Record<string, string | number | undefined>>;

export type ClientOptions = {
  fetch: typeof fetch;
  /** In front of every path. */
  base?: string;
  /** Goes along with every call. */
  query?: Query;
  credentials: RequestCredentials;
  /** Headers of a call: who calls. */
  headers: (route: Operation) => Readonly<Record<string, string>>;
  /** Told of each reply, and of each failure. */
  onOutcome?: (error: RequestError | null) => void;
};

export type Client = {
  /** @throws RequestError */
  call: <R extends Route>(route: R, ...args: Args<R>) => Promise<ReplyOf<R>>;
  /** As `call`, with the server's time in ms when it answered. @throws RequestError */
  callTimed: <R extends Route>(
    route: R,
    ...args: Args<R>
  ) => Promise<{ reply: ReplyOf<R>; serverMs: number }>;
  /** The reply itself, as for a stream of events. @throws RequestError */
  send: <R extends Route>(route: R, ...args: Args<R>) => Promise<Response>;
};

export function createClient(options: ClientOptions): Client {
  const { base = '', credentials, onOutcome = () => undefined } = options;

  const send: Client['send'] = async (route, ...[input = {}]) => {
    const { params, query, body, file, signal, keepalive } = input as AnyInput;
    const headers = new Headers({ accept: 'application/json', ...options.headers(route) });
    if (body !== undefined) headers.set('content-type', 'application/json');
    if (file !== undefined) headers.set('content-type', file.type);
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
          referrerPolicy: 'no-referrer',
          ...(content !== undefined && { body: content }),
          ...(signal !== undefined && { signal }),
          ...(keepalive !== undefined && { keepalive }),
        },
      );
    } catch (error) {
      // Given up by the page; a limit in time that ran out is a server that did not answer.
      if (error instanceof DOMException && error.name === 'AbortError') throw error;
      throw failed(new RequestError('offline'));
    }
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

/** The reply as its schema describes it: the server answers with nothing else. */
async function replyOf<R extends Route>(_route: R, response: Response): Promise<ReplyOf<R>> {
  try {
    const text = await response.text();
    return (text === '' ? undefined : JSON.parse(text)) as ReplyOf<R>;
  } catch {
    // Cut off in the middle.
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
