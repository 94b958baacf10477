/**
 * An operation of the server: method, path, who may call it, and the schemas of request and reply. Routes are
 * registered from these entries, and the pages' client gets its types from them.
 *
 * The files of this folder contain nothing but entries: a page's build keeps their methods and paths and drops the
 * rest (`pageRoutes` in `vite.config.ts`), so that no schema reaches a page.
 */
import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { ChangeTopic } from '../console/changes.ts';
import type { Role } from '../console/common.ts';

export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Parameters as `:name`. Below `/console/api` for operations of the console. */
  readonly path: string;
  /** The path's parameters that are not just any string. */
  readonly params?: Readonly<TProperties>;
  /** Properties of the query string; values are converted. */
  readonly query?: Readonly<TProperties>;
  /** The JSON body. */
  readonly body?: TSchema;
  /** The reply with 200; other fields are removed. None if the reply is a file, a stream or empty. */
  readonly reply?: TSchema;
  /** Server-sent events, which have no end that a HEAD request could wait for. */
  readonly stream?: true;
  /** Size in bytes. */
  readonly bodyLimit?: number;
};

/** An operation of the console. */
export type ConsoleRoute = Route & {
  /** The lowest role that may call it; `public` needs no session. */
  readonly role: Role | 'public';
  /**
   * The scope of the operation. By default one company and partition, from `company_id` and `partition` in the query.
   * `installation`: refused to operators who are limited to companies. `operator`: the caller's own data only.
   */
  readonly about?: 'installation' | 'operator';
  /** Refused to operators who are limited to companies, even though it concerns one company. */
  readonly installationWide?: true;
  /** Topics of the event stream, besides `REPLY_TOPICS`, of which the reply shows what the operation changed. */
  readonly shows?: readonly ChangeTopic[];
  /** Never counts as activity of the operator: streams and polls. */
  readonly background?: true;
  /** Available to an admin who has not set up the second factor yet. */
  readonly withoutSecondFactor?: true;
  /** One line for the console's OpenAPI document. */
  readonly summary: string;
};

/** Of admins, about the whole installation. */
export const OF_INSTALLATION = { role: 'admin', about: 'installation' } as const;
/** Of everybody who is signed in, and of no company. */
export const OF_OPERATOR = { role: 'staff', about: 'operator' } as const;

export type Routes = Readonly<Record<string, Route>>;
export type ConsoleRoutes = Readonly<Record<string, ConsoleRoute>>;

/** The names of the parameters in a path. */
type NamesIn<Path> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;
type DeclaredParams<R> = R extends { readonly params: infer P } ? Fields<P> : object;

type Fields<T> = T extends Readonly<TProperties> ? Static<TObject<T>> : object;

export type BodyOf<R> = R extends { readonly body: infer B extends TSchema } ? Static<B> : undefined;
export type QueryOf<R> = R extends { readonly query: infer Q } ? Fields<Q> : object;
export type ParamsOf<R> = R extends { readonly path: infer P }
  ? Omit<Record<NamesIn<P>, string>, keyof DeclaredParams<R>> & DeclaredParams<R>
  : object;
/** `undefined` if the operation declares no JSON reply. */
export type ReplyOf<R> = R extends { readonly reply: infer S extends TSchema } ? Static<S> : undefined;
