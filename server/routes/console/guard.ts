/**
 * Who may make a call. Every route states its role, or that it is public; a route that states neither is not started.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  BACKGROUND_HEADER,
  CONSOLE_API,
  CSRF_HEADER,
  isAtLeast,
  type Role,
} from '../../contract/console/common.ts';
import type { ConsoleDeps } from '../deps.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { needsSecondFactor } from '../../services/operators/second-factor.ts';
import { isCsrfToken, resumeSession, type SignedIn } from '../../services/operators/operator-session.ts';
import { refuseForeignOrigin } from './origin.ts';

export type Access = { role: Role } & AccessExceptions;
type AccessExceptions = {
  /** Never counts as activity of the operator: streams and polls. */
  background?: true;
  /** Concerns the whole installation: not for operators who are limited to companies. */
  installationWide?: true;
  /** Available to an admin who still has to set up the second factor. */
  withoutSecondFactor?: true;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access | 'public';
  }
  interface FastifyRequest {
    signedIn: SignedIn | null;
  }
}

/** The only calls that need no session. */
export const PUBLIC_ROUTES: readonly string[] = [
  'GET /setup',
  'POST /setup',
  'POST /setup/recovery',
  'POST /setup/recovery/admins',
  'POST /sign-in',
  'POST /sign-in/oidc',
  'POST /sign-in/oidc/begin',
  'POST /sign-in/passkey',
  'POST /sign-in/passkey/begin',
];

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Registered before the routes. */
export function guardRoutes(
  app: FastifyInstance,
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'refusals' | 'unsavedActivity' | 'isConsoleOpen'>,
): void {
  app.decorateRequest('signedIn', null);

  app.addHook('onRoute', ({ method, routePath, config }) => {
    for (const verb of [method].flat()) {
      const name = `${verb === 'HEAD' ? 'GET' : verb} ${routePath}`;
      const access = config?.access;
      if (access === undefined) throw new Error(`The console's route ${name} does not say who may call it.`);
      if (access === 'public' && !PUBLIC_ROUTES.includes(name)) {
        throw new Error(`The console's route ${name} is public without being on the list.`);
      }
    }
  });

  app.addHook('onRequest', async (request) => {
    refuseForeignOrigin(request);
    // A path without a route has no access rules of its own.
    const { access } = request.routeOptions.config;
    if (access === 'public' || access === undefined) return;
    request.signedIn = await authorise(deps, request, access);
  });
}

/** @throws Refusal if nobody is signed in, or the operator may not make the call */
export async function authorise(
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'refusals' | 'unsavedActivity' | 'isConsoleOpen'>,
  request: FastifyRequest,
  access: Access,
): Promise<SignedIn> {
  const token = sessionTokenOf(request);
  const isActivity = access.background !== true && request.headers[BACKGROUND_HEADER] !== '1';
  const signedIn = await resumeSession(deps, token, { isActivity });
  if (!isRead(request.method) && !isCsrfToken(request.headers[CSRF_HEADER], token ?? '')) {
    throw new Refusal('csrf_token_required');
  }
  if (!isAtLeast(signedIn.operator.role, access.role)) {
    deps.refusals.note({
      action: 'operator.role_refused',
      actor: signedIn.actor,
      subject: signedIn.operator.id,
      source: request.ip,
      details: { call: `${request.method} ${request.routeOptions.url ?? ''}`, needs: access.role },
    });
    throw new Refusal('role_too_low', { args: { role: access.role } });
  }
  if (access.withoutSecondFactor !== true && !signedIn.hasSecondFactor && needsSecondFactor(deps, signedIn)) {
    throw new Refusal('second_factor_required');
  }
  if (access.installationWide === true && signedIn.isLimited) {
    throw new Refusal('installation_wide');
  }
  return signedIn;
}

/** The caller, on a route that is not public. */
export function signedInOf(request: FastifyRequest): SignedIn {
  if (request.signedIn === null) throw new Refusal('sign_in_required');
  return request.signedIn;
}

// The session's cookie: not readable by scripts, never sent by another site, and sent only to the console's API.

const NAME = 'gatehouse_console';
const OIDC = 'gatehouse_oidc';

/** With HTTPS, the name prefix makes the browser require `Secure`, no `Domain` and the path `/`: no other host can plant one. */
function place(request: FastifyRequest, name = NAME): { name: string; path: string; secure: boolean } {
  return request.protocol === 'https'
    ? { name: `__Host-${name}`, path: '/', secure: true }
    : { name, path: CONSOLE_API, secure: false };
}

export function sessionTokenOf(request: FastifyRequest): string | null {
  const token = request.cookies[place(request).name];
  return token === undefined || token === '' ? null : token;
}

/** Without a maximum age: it is deleted when the browser closes, and the server ends the session earlier. */
export function giveSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  const { name, path, secure } = place(request);
  void reply.setCookie(name, token, { path, secure, httpOnly: true, sameSite: 'strict' });
}

/** The secret of a sign-in at the identity provider, while the browser is there. */
export function giveOidcCookie(request: FastifyRequest, reply: FastifyReply, secret: string): void {
  const { name, path, secure } = place(request, OIDC);
  void reply.setCookie(name, secret, { path, secure, httpOnly: true, sameSite: 'strict' });
}

export function takeOidcCookie(request: FastifyRequest, reply: FastifyReply): string | null {
  const { name, path, secure } = place(request, OIDC);
  void reply.clearCookie(name, { path, secure, httpOnly: true, sameSite: 'strict' });
  return request.cookies[name] ?? null;
}

export function takeSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  const { name, path, secure } = place(request);
  void reply.clearCookie(name, { path, secure, httpOnly: true, sameSite: 'strict' });
}
