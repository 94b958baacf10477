/** The public application: API, hosted pages, health. Plugins first, then routes. */
import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import http, { type Server } from 'node:http';
import type { Logger } from 'pino';
import { LISTENER_LIMITS, MAX_CONNECTIONS } from './listen.ts';
import { boundBodies, SMALL_BODY_BYTES } from './body-budget.ts';
import { acceptOnlyCaptures } from './upgrades.ts';
import { refuseUnknownCalls } from '../routes/endpoints.ts';
import { createStreamPlaces } from '../routes/event-streams.ts';
import { nameRequest, sayWhenToRetry } from '../routes/headers.ts';
import { refuseBrokenRequest, replyWithError } from '../refusals/api.ts';
import { isConnectPath, replyWithFailure } from '../refusals/connect.ts';
import { collectOpenApi, openApiRoute } from '../routes/docs/openapi.ts';
import { flowRoutes } from '../routes/flow/index.ts';
import { myRoutes } from '../routes/flow/my.ts';
import { healthRoutes } from '../routes/health.ts';
import { type KnownHosts, refuseUnknownHosts } from '../routes/known-hosts.ts';
import { kioskRoutes } from '../routes/kiosk/index.ts';
import { scanRoutes } from '../routes/scan/index.ts';
import { pageErrorRoutes } from '../routes/page-errors.ts';
import { docsPage } from '../routes/pages/docs.ts';
import { type HostedOptions, hostedPages } from '../routes/pages/hosted.ts';
import { kioskPage } from '../routes/pages/kiosk.ts';
import { sdkFiles } from '../routes/pages/sdk.ts';
import { securityTxtRoute, type SecurityTxtOptions } from '../routes/pages/security-txt.ts';
import { startPageRoute } from '../routes/pages/start.ts';
import { v1Routes } from '../routes/v1/index.ts';
import { v2Routes } from '../routes/v2/index.ts';
import { v3Routes } from '../routes/v3/index.ts';
import type { ServiceDeps } from '../routes/deps.ts';
import { Refusal } from '../refusals/refusal.ts';
import { newRequestId } from '../services/ports/ids.ts';

/** As long as a request's head may be (Node's `maxHeaderSize`), so that each route refuses what it does not know. */
const MAX_PARAM_LENGTH = 16_384;

declare module 'fastify' {
  interface FastifyInstance {
    /** Never listens; emits `upgrade` for each WebSocket of a capture, on whichever listener. */
    captureUpgrades: Server;
  }
}

type AppOptions = HostedOptions &
  KnownHosts &
  SecurityTxtOptions & { deps: ServiceDeps; logger: Logger; trustedHops: number };

/** A Fastify instance with the product’s timeouts, safe logging and one error handler. */
export function createFastify(
  logger: Logger,
  trustedHops: number,
  onError: typeof replyWithError = replyWithError,
): FastifyInstance {
  const fastify = Fastify({
    loggerInstance: logger,
    genReqId: newRequestId,
    // URLs contain session IDs and tokens, so errors are logged where they occur instead.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    requestTimeout: LISTENER_LIMITS.requestTimeout,
    http: LISTENER_LIMITS,
    keepAliveTimeout: LISTENER_LIMITS.keepAliveTimeout,
    // Hop 0 is the socket. Behind one proxy only the proxy is trusted, and not the caller's own header.
    trustProxy: trustedHops > 0 ? (_address, hop) => hop < trustedHops : false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    bodyLimit: SMALL_BODY_BYTES,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, ignoreTrailingSlash: true },
    clientErrorHandler: (error, socket) => refuseBrokenRequest(error, socket, newRequestId()),
    frameworkErrors: (error, request, reply) => {
      nameRequest(request, reply);
      const answer = isConnectPath(request.url) ? replyWithFailure : onError;
      const isToken = error.code === 'FST_ERR_BAD_URL' && request.url.startsWith('/v3/confirmations/');
      answer(isToken ? new Refusal('invalid_confirmation_token') : error, request, reply);
    },
  });
  const app = fastify as unknown as FastifyInstance;
  const captureUpgrades = http.createServer();
  app.server.maxConnections = MAX_CONNECTIONS;
  app.decorate('captureUpgrades', captureUpgrades);
  app.decorate('streamPlaces', createStreamPlaces());
  acceptOnlyCaptures(app.server, (...offer) => captureUpgrades.emit('upgrade', ...offer));
  app.addHook('onRequest', (request, reply, done) => {
    nameRequest(request, reply);
    done();
  });
  // What an integrator asks about by its Request-Id. Without the address, which can contain a token.
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const operation = request.routeOptions.config.operation?.operationId;
    if (operation !== undefined && statusCode >= 400)
      request.log.info(
        { operation, status: statusCode, key_id: request.caller?.keyId ?? null },
        'call refused',
      );
    done();
  });
  app.setErrorHandler(onError);
  refuseUnknownCalls(app);
  // For a missing file below a known path.
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ detail: 'no_such_endpoint' }));
  app.addHook('onSend', sayWhenToRetry);
  return app;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The session that the call made or was about, if its reply or address named one. */
    sessionId: string | null;
  }
}

/** So that staff find a call by its Request-Id: calls that change something, and refused ones; not every read. */
function rememberCalls(
  app: FastifyInstance,
  { requests, clock }: Pick<ServiceDeps, 'requests' | 'clock'>,
): void {
  app.decorateRequest('sessionId', null);
  app.addHook('preSerialization', (request, _reply, payload: unknown, done) => {
    if (typeof payload === 'object' && payload !== null && 'session_id' in payload)
      request.sessionId = typeof payload.session_id === 'string' ? payload.session_id : null;
    done(null, payload);
  });
  app.addHook('onResponse', (request, { statusCode: status }, done) => {
    const operation = request.routeOptions.config.operation?.operationId;
    const { caller, id, sessionId } = request;
    if (operation !== undefined && caller && (request.method !== 'GET' || status >= 400)) {
      const { scope, keyId } = caller;
      requests.note({ id, scope, at: clock.now(), operation, status, keyId, sessionId });
    }
    done();
  });
}

export async function createPublicApp(options: AppOptions): Promise<FastifyInstance> {
  const { deps, logger, trustedHops } = options;
  const app = createFastify(logger, trustedHops);
  await app.register(helmet, {
    // Each page sends its own policy; other responses need none.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    crossOriginEmbedderPolicy: false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    // The part that ends TLS sends it: the listener of network mode, or a proxy.
    strictTransportSecurity: false,
    frameguard: false,
  });
  refuseUnknownHosts(app, options);
  boundBodies(app);
  healthRoutes(app, deps);
  await collectOpenApi(app);
  rememberCalls(app, deps);
  await app.register(v3Routes, { deps });
  await app.register(v2Routes, { deps, prefix: '/v2' });
  await app.register(v1Routes, { deps, prefix: '/v1' });
  await app.register(flowRoutes, { deps });
  await app.register(myRoutes, { deps });
  await app.register(kioskRoutes, { deps });
  await app.register(scanRoutes, { deps });
  await app.register(pageErrorRoutes, { deps });
  openApiRoute(app, deps.baseUrl);
  await app.register(hostedPages, options);
  await app.register(kioskPage, options);
  await app.register(docsPage, options);
  await app.register(sdkFiles, options);
  await app.register(startPageRoute, options);
  await app.register(securityTxtRoute, options);
  return app;
}
