/** Headers of requests and replies. */
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  onSendHookHandler,
} from 'fastify';

/** Responses about people and keys must not be cached. */
export const neverStore: onRequestHookHandler = (_request, reply, done) => {
  void reply.header('cache-control', 'no-store');
  done();
};

/** On the raw reply, so that a stream whose head a route writes itself has it, too. */
export function nameRequest(request: Pick<FastifyRequest, 'id'>, { raw }: Pick<FastifyReply, 'raw'>): void {
  raw.setHeader('request-id', request.id);
}

const RETRY_S = '5';

/** Each caller who is refused for now learns when to try again. */
export const sayWhenToRetry: onSendHookHandler = (_request, reply, _payload, done) => {
  const isForNow = reply.statusCode === 503 || reply.statusCode === 429;
  if (isForNow && !reply.hasHeader('retry-after')) void reply.header('retry-after', RETRY_S);
  done();
};

/** For a file whose address changes with its contents. */
export const FOREVER = 'public, max-age=31536000, immutable';

/** The name in a `Host` header, lower case, without port and trailing dot; null if it is invalid. */
export function hostNameOf(header: string | undefined): string | null {
  const url = `http://${header ?? ''}`;
  if (header === undefined || header === '' || !URL.canParse(url)) return null;
  const { hostname, username, password } = new URL(url);
  if (username !== '' || password !== '' || header.includes('@')) return null;
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** The bearer token of a request; null if there is none. The scheme's name is not case-sensitive (RFC 9110). */
export function bearerOf({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const match = /^bearer +(\S.*)$/i.exec(headers.authorization?.trim() ?? '');
  return match?.[1]?.trimEnd() ?? null;
}

/** A token that pages send in a header of its own; null if there is none. */
export function tokenIn({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string | null {
  const header = headers[name];
  return typeof header === 'string' && header !== '' ? header : null;
}

export const flowTokenOf = (request: Pick<FastifyRequest, 'headers'>): string | null =>
  tokenIn(request, 'x-flow-token');

const PREFLIGHT_MAX_AGE_S = 600;

const permit: onSendHookHandler = (_request, reply, _payload, done) => {
  void reply
    .header('access-control-allow-origin', '*')
    .header('access-control-expose-headers', 'retry-after, request-id, idempotent-replayed');
  done();
};

const HEADER_NAMES = /^[\w!#$%&'*+.^`|~, -]+$/;

/** All that the browser asks for, by name: `*` does not include `authorization` (Fetch standard). */
const askedHeaders = (asked: string | undefined): string =>
  asked !== undefined && HEADER_NAMES.test(asked) ? asked : 'authorization, content-type, idempotency-key';

/** Lets browsers on any page call these paths, without credentials (decisions §3.16). */
export function allowAnyOrigin(app: FastifyInstance, paths: readonly string[]): void {
  app.addHook('onRoute', (route) => {
    // With every reply, also one of an earlier hook.
    if (paths.includes(route.url)) route.onSend = permit;
  });
  for (const path of paths) {
    app.options(path, ({ headers }, reply) =>
      reply
        .code(204)
        .header('allow', 'OPTIONS, POST')
        .header('access-control-allow-methods', 'POST')
        .header('access-control-allow-headers', askedHeaders(headers['access-control-request-headers']))
        .header('vary', 'access-control-request-headers')
        .header('access-control-max-age', String(PREFLIGHT_MAX_AGE_S))
        .send(),
    );
  }
}
