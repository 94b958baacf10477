/** Routes of the public listener, registered from the entries of `contract/routes`, and the options of those of the API. */
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { Operation } from '../contract/operations.ts';
import type { BodyOf, ParamsOf, QueryOf, ReplyOf, Route } from '../contract/routes/route.ts';

/** A request whose parts have been checked with the schemas of `R`. */
type RequestOf<R extends Route> = FastifyRequest<{
  Body: BodyOf<R>;
  Querystring: QueryOf<R>;
  Params: ParamsOf<R>;
}>;

/** What a handler returns; one without a reply schema writes to `reply` itself. */
export type Answer<R extends Route> = R extends { readonly reply: object } ? ReplyOf<R> : unknown;

type Handler<R extends Route> = (
  request: RequestOf<R>,
  reply: FastifyReply,
) => Answer<R> | Promise<Answer<R>>;

/**
 * Registers `handler` for the operation that `route` declares.
 * @param onRequest authorises the caller before the body is read, where that may be large
 */
export function register<const R extends Route>(
  app: FastifyInstance,
  route: R,
  handler: Handler<R>,
  { onRequest }: { onRequest?: (request: RequestOf<R>) => Promise<void> } = {},
): void {
  const { method, path, bodyLimit, stream } = route;
  app.route({
    method,
    url: path,
    exposeHeadRoute: stream !== true,
    ...(onRequest && { onRequest: onRequest as (request: FastifyRequest) => Promise<void> }),
    ...(bodyLimit !== undefined && { bodyLimit }),
    schema: schemaOf(route),
    // Fastify calls it after checking the schemas.
    handler: handler as (request: FastifyRequest, reply: FastifyReply) => unknown,
  });
}

export function schemaOf({ path, params, query, body, reply }: Route): FastifySchema {
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name);
  const named = names.map((name) => [name, params?.[name] ?? Type.String()] as const);
  return {
    ...(names.length > 0 && { params: Type.Object(Object.fromEntries(named)) }),
    ...(query && { querystring: Type.Object(query) }),
    ...(body && { body }),
    ...(reply && { response: { 200: reply } }),
  };
}

type SentSchemas = { params?: TSchema; querystring?: TSchema; body?: TSchema };

/** For an operation of the API reference: what its route takes and returns. */
export const documented = <Reply extends TSchema, Sent extends SentSchemas>(
  operation: Operation,
  reply: Reply,
  sent: Sent = {} as Sent,
) => ({ config: { operation }, schema: { ...sent, response: { 200: reply } } });
