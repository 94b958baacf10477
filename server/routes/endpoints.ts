/** What is refused before any route sees it: unknown paths, other methods, encoded bodies (decisions §3.20). */
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Any body is read and discarded. */
    anyBody?: true;
  }
}

/** A refusal of HTTP itself; each generation answers it in its own shape, by status. */
class RefusedCall extends Error {
  readonly statusCode: 404 | 405 | 415;
  constructor(statusCode: 404 | 405 | 415) {
    super(`refused with ${statusCode}`);
    this.name = 'RefusedCall';
    this.statusCode = statusCode;
  }
}

/** Call it before the routes are registered, so that it knows their paths. */
export function refuseUnknownCalls(app: FastifyInstance): void {
  const known = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const route = known.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const verb of [method].flat()) route.methods.add(verb);
    known.set(url, route);
  });

  const methodsAt = ({ url }: FastifyRequest): string[] => {
    const path = url.split('?', 1)[0] ?? '';
    const methods = [...known.values()].flatMap((route) =>
      route.pattern.test(path) ? [...route.methods] : [],
    );
    return [...new Set(methods)].toSorted();
  };

  // After the checks of the path's generation, and before any body is read.
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (request.is404) {
      const methods = methodsAt(request);
      if (methods.length > 0) void reply.header('allow', methods.join(', '));
      done(new RefusedCall(methods.length > 0 ? 405 : 404));
    } else if (isEncoded(request) && request.routeOptions.config.anyBody !== true) {
      void reply.header('accept-encoding', 'identity');
      done(new RefusedCall(415));
    } else done(null, payload);
  });
}

/** Parameters match one segment, and a trailing slash is ignored, as in the router. */
function patternOf(url: string): RegExp {
  const segments = url
    .replace(/\/$/, '')
    .split('/')
    .map((segment) => {
      if (segment.startsWith(':')) return '[^/]+';
      return segment.replaceAll(/[^\w*-]/g, String.raw`\$&`).replaceAll('*', '.*');
    });
  return new RegExp(`^${segments.join('/')}/?$`);
}

function isEncoded({ headers }: FastifyRequest): boolean {
  const encoding = headers['content-encoding'];
  if (encoding === undefined) return false;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return hasBody && encoding.split(',').some((name) => !['', 'identity'].includes(name.trim().toLowerCase()));
}
