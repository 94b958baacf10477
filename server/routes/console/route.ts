/**
 * How a route of the console's API is written: what it takes and gives, who may call it, and the use case it calls.
 * The role is checked before the body is read, the schemas before the handler runs.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { type PartitionName, type Role, ScopeQuery } from '../../contract/console/common.ts';
import type { Scope } from '../../domain/scope.ts';
import { companyScope } from '../../services/companies/company-scope.ts';
import type { ConsoleDeps } from '../../services/console-deps.ts';
import type { SignedIn } from '../../services/runs/life.ts';
import { type AccessExceptions, signedInOf } from './guard.ts';

export type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a handler gets: who calls (`actor` for the audit log), what they sent, and the raw pair for streams. */
export type ConsoleCall<Body, Query, Params> = {
  signedIn: SignedIn;
  /** `operator:<id>`. */
  actor: string;
  body: Body;
  query: Query;
  params: Params;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** A call about one company and partition, chosen by `company_id` and `partition` in the query. */
export type ScopedCall<Body, Query, Params> = ConsoleCall<Body, Query, Params> & {
  scope: Scope;
  company: { id: string; name: string; dailyLimit: number };
};

export type RouteOptions<
  B extends TSchema,
  Q extends TProperties,
  P extends TProperties,
  R extends TSchema,
  Call,
> = AccessExceptions & {
  method: Verb;
  /** Below `/console/api`, parameters as `:name`. */
  url: string;
  role: Role;
  /** One line for the console's OpenAPI document. */
  summary: string;
  body?: B;
  /** Properties of the query string; values are converted. */
  query?: Q;
  /** Properties of the path; `{ id: Type.String() }`. */
  params?: P;
  /** What 200 carries; fields beyond it are left out. Left out itself where the handler writes to `reply`. */
  response?: R;
  /** Bytes; 256 kB where left out. */
  bodyLimit?: number;
  handler: (call: Call) => Promise<TSchema extends R ? unknown : Static<R>>;
};

type Fields<T extends TProperties> = Static<TObject<T>>;

/**
 * A route of the installation as a whole, refused to operators who are limited to companies unless `ownOnly` says that it
 * shows and changes nothing beyond what is theirs.
 */
export function consoleRoute<
  B extends TSchema = TSchema,
  Q extends TProperties = TProperties,
  P extends TProperties = TProperties,
  R extends TSchema = TSchema,
>(
  app: FastifyInstance,
  {
    ownOnly,
    ...options
  }: RouteOptions<B, Q, P, R, ConsoleCall<Static<B>, Fields<Q>, Fields<P>>> & {
    ownOnly?: true;
  },
): void {
  register(
    app,
    { ...options, ...(ownOnly !== true && { installationWide: true as const }) },
    options.query ?? {},
    (request, reply) => options.handler(callOf<Static<B>, Fields<Q>, Fields<P>>(request, reply)),
  );
}

/** A route of one company and partition, one of those that the operator may see. */
export function scopedRoute<
  B extends TSchema = TSchema,
  Q extends TProperties = TProperties,
  P extends TProperties = TProperties,
  R extends TSchema = TSchema,
>(
  app: FastifyInstance,
  { db }: Pick<ConsoleDeps, 'db'>,
  options: RouteOptions<B, Q, P, R, ScopedCall<Static<B>, Fields<Q>, Fields<P>>>,
): void {
  register(app, options, { ...options.query, ...ScopeQuery }, async (request, reply) => {
    const chosen = request.query as { company_id?: string; partition?: PartitionName };
    const { scope, company } = await companyScope(db, signedInOf(request).operator.id, chosen);
    return options.handler({
      ...callOf<Static<B>, Fields<Q>, Fields<P>>(request, reply),
      scope,
      company,
    });
  });
}

function callOf<Body, Query, Params>(
  request: FastifyRequest,
  reply: FastifyReply,
): ConsoleCall<Body, Query, Params> {
  const signedIn = signedInOf(request);
  return {
    signedIn,
    actor: signedIn.actor,
    // The schemas of the route have been checked by now.
    body: request.body as Body,
    query: request.query as Query,
    params: request.params as Params,
    request,
    reply,
  };
}

function register(
  app: FastifyInstance,
  options: Omit<RouteOptions<TSchema, TProperties, TProperties, TSchema, never>, 'handler'>,
  query: TProperties,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): void {
  const { method, url, role, summary, body, params, response, bodyLimit } = options;
  const { background, installationWide, withoutSecondFactor } = options;
  app.route({
    method,
    url,
    exposeHeadRoute: false,
    ...(bodyLimit !== undefined && { bodyLimit }),
    config: {
      access: {
        role,
        ...(background && { background }),
        ...(installationWide && { installationWide }),
        ...(withoutSecondFactor && { withoutSecondFactor }),
      },
    },
    schema: {
      summary,
      ...(body && { body }),
      querystring: Type.Object(query),
      ...(params && { params: Type.Object(params) }),
      ...(response && { response: { 200: response } }),
    },
    handler,
  });
}
