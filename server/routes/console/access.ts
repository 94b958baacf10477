/** First run, sign-in, and what operators do about themselves. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  ConsoleCompanies,
  Me,
  OperatorSessions,
  PassphraseChange,
  PassphraseConfirmation,
  PinChange,
  RecoveryCodes,
  SavedFilter,
  SavedFilterRequest,
  SavedFilters,
  SecondFactorConfirmation,
  SecondFactorEnrolment,
  SecondFactorState,
  SetupRequest,
  SetupResponse,
  SetupState,
  SignInRequest,
} from '../../contract/console/access.ts';
import { Done } from '../../contract/console/common.ts';
import { listCompaniesOf } from '../../services/companies/companies.ts';
import {
  changePassphrase,
  changePin,
  deleteMyFilter,
  endMySession,
  listMyFilters,
  listMySessions,
  removePin,
  saveMyFilter,
} from '../../services/operators/account.ts';
import type { ConsoleDeps } from '../../services/console-deps.ts';
import {
  beginEnrolment,
  confirmEnrolment,
  needsSecondFactor,
  readSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from '../../services/operators/second-factor.ts';
import { type SessionOrigin, type SignedIn, toMe } from '../../services/runs/life.ts';
import { readSetupState, setUp } from '../../services/setup/setup.ts';
import { signIn, signOut } from '../../services/operators/sign-in.ts';
import { isLocal } from './origin.ts';
import { giveSessionCookie, sessionTokenOf, takeSessionCookie } from './cookie.ts';
import { deviceLabel } from './device-label.ts';
import { consoleRoute } from './route.ts';

const DONE: Done = { ok: true };
const SMALL_BYTES = 8 * 1024;

export function accessRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  publicRoutes(app, deps);
  sessionRoutes(app, deps);
  secondFactorRoutes(app, deps);
  accountRoutes(app, deps);
}

function publicRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const config = { access: 'public' } as const;

  app.get(
    '/setup',
    {
      config,
      schema: { summary: 'Whether the first admin is still to be made', response: { 200: SetupState } },
    },
    (request) => readSetupState(deps, { isLocal: isLocal(request) }),
  );

  app.post<{ Body: SetupRequest }>(
    '/setup',
    {
      config,
      bodyLimit: SMALL_BYTES,
      schema: { summary: 'Make the first admin', body: SetupRequest, response: { 200: SetupResponse } },
    },
    async (request, reply) => {
      const origin = { ...originOf(request), isLocal: isLocal(request) };
      const { token, response } = await setUp(deps, request.body, origin);
      giveSessionCookie(request, reply, token);
      return response;
    },
  );

  app.post<{ Body: SignInRequest }>(
    '/sign-in',
    {
      config,
      bodyLimit: SMALL_BYTES,
      schema: { summary: 'Sign in', body: SignInRequest, response: { 200: Me } },
    },
    async (request, reply) => {
      const origin = { ...originOf(request), previousToken: sessionTokenOf(request) };
      const { token, signedIn } = await signIn(deps, request.body, origin);
      giveSessionCookie(request, reply, token);
      return meOf(deps, signedIn);
    },
  );
}

const meOf = (deps: ConsoleDeps, signedIn: SignedIn): Me => toMe(signedIn, needsSecondFactor(deps, signedIn));

const originOf = (request: FastifyRequest): SessionOrigin => ({
  address: request.ip,
  device: deviceLabel(request.headers['user-agent']),
});

function sessionRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const leave = async (request: FastifyRequest, reply: FastifyReply) => {
    takeSessionCookie(request, reply);
    // The page's cached answers go with the session.
    void reply.header('clear-site-data', '"cache"');
    return DONE;
  };

  consoleRoute(app, {
    ownOnly: true,
    method: 'GET',
    url: '/me',
    role: 'staff',
    background: true,
    summary: 'Who is signed in, with the CSRF token',
    response: Me,
    withoutSecondFactor: true,
    handler: async ({ signedIn }) => meOf(deps, signedIn),
  });
  consoleRoute(app, {
    ownOnly: true,
    method: 'POST',
    url: '/me/stay',
    role: 'staff',
    summary: 'Still here: keeps the session from falling idle',
    response: Me,
    withoutSecondFactor: true,
    handler: async ({ signedIn }) => meOf(deps, signedIn),
  });
  consoleRoute(app, {
    ownOnly: true,
    method: 'POST',
    url: '/sign-out',
    role: 'staff',
    summary: 'End this session',
    withoutSecondFactor: true,
    response: Done,
    handler: async ({ signedIn, request, reply }) => {
      await signOut(deps, signedIn, { everywhere: false });
      return leave(request, reply);
    },
  });
  consoleRoute(app, {
    ownOnly: true,
    method: 'POST',
    url: '/sign-out-everywhere',
    role: 'staff',
    summary: 'End all sessions of the operator',
    withoutSecondFactor: true,
    response: Done,
    handler: async ({ signedIn, request, reply }) => {
      await signOut(deps, signedIn, { everywhere: true });
      return leave(request, reply);
    },
  });
  consoleRoute(app, {
    ownOnly: true,
    method: 'GET',
    url: '/me/sessions',
    role: 'staff',
    summary: 'Open sessions of the operator',
    response: OperatorSessions,
    handler: ({ signedIn }) => listMySessions(deps, signedIn),
  });
  consoleRoute(app, {
    ownOnly: true,
    method: 'DELETE',
    url: '/me/sessions/:session_id',
    role: 'staff',
    summary: 'End one of the operator’s sessions',
    params: { session_id: Type.String() },
    response: Done,
    handler: async ({ signedIn, params }) => {
      await endMySession(deps, signedIn, params.session_id);
      return DONE;
    },
  });
}

function secondFactorRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const shared = { role: 'staff', bodyLimit: SMALL_BYTES, withoutSecondFactor: true } as const;

  consoleRoute(app, {
    ownOnly: true,
    ...shared,
    method: 'GET',
    url: '/me/second-factor',
    summary: 'The operator’s second factor',
    response: SecondFactorState,
    handler: ({ signedIn }) => readSecondFactor(deps, signedIn),
  });
  consoleRoute(app, {
    ownOnly: true,
    ...shared,
    method: 'POST',
    url: '/me/second-factor',
    summary: 'Begin to set up an authenticator app',
    body: PassphraseConfirmation,
    response: SecondFactorEnrolment,
    handler: ({ signedIn, body }) => beginEnrolment(deps, signedIn, body),
  });
  consoleRoute(app, {
    ownOnly: true,
    ...shared,
    method: 'POST',
    url: '/me/second-factor/confirm',
    summary: 'Finish it with a first code; recovery codes are shown this once',
    body: SecondFactorConfirmation,
    response: RecoveryCodes,
    handler: ({ signedIn, body }) => confirmEnrolment(deps, signedIn, body),
  });
  consoleRoute(app, {
    ownOnly: true,
    ...shared,
    method: 'DELETE',
    url: '/me/second-factor',
    summary: 'Remove the second factor',
    body: PassphraseConfirmation,
    response: Done,
    handler: async ({ signedIn, body }) => {
      await removeSecondFactor(deps, signedIn, body);
      return DONE;
    },
  });
  consoleRoute(app, {
    ownOnly: true,
    role: 'staff',
    bodyLimit: SMALL_BYTES,
    method: 'POST',
    url: '/me/recovery-codes',
    summary: 'New recovery codes; the old ones stop working',
    body: PassphraseConfirmation,
    response: RecoveryCodes,
    handler: ({ signedIn, body }) => renewRecoveryCodes(deps, signedIn, body),
  });
}

function accountRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  consoleRoute(app, {
    ownOnly: true,
    method: 'PUT',
    url: '/me/passphrase',
    role: 'staff',
    summary: 'Change the passphrase; other sessions end',
    body: PassphraseChange,
    bodyLimit: SMALL_BYTES,
    response: Done,
    handler: async ({ signedIn, body }) => {
      await changePassphrase(deps, signedIn, body);
      return DONE;
    },
  });
  consoleRoute(app, {
    ownOnly: true,
    method: 'PUT',
    url: '/me/pin',
    role: 'staff',
    summary: 'Set the quick PIN for kiosks',
    body: PinChange,
    bodyLimit: SMALL_BYTES,
    response: Done,
    handler: async ({ signedIn, body }) => {
      await changePin(deps, signedIn, body);
      return DONE;
    },
  });
  consoleRoute(app, {
    ownOnly: true,
    method: 'DELETE',
    url: '/me/pin',
    role: 'staff',
    summary: 'Take the quick PIN away',
    response: Done,
    handler: async ({ signedIn }) => {
      await removePin(deps, signedIn);
      return DONE;
    },
  });
  consoleRoute(app, {
    ownOnly: true,
    method: 'GET',
    url: '/saved-filters',
    role: 'staff',
    summary: 'Filters that the operator has saved',
    response: SavedFilters,
    handler: ({ signedIn }) => listMyFilters(deps, signedIn),
  });
  consoleRoute(app, {
    ownOnly: true,
    method: 'POST',
    url: '/saved-filters',
    role: 'staff',
    summary: 'Save a filter under a name',
    body: SavedFilterRequest,
    response: SavedFilter,
    handler: ({ signedIn, body }) => saveMyFilter(deps, signedIn, body),
  });
  consoleRoute(app, {
    ownOnly: true,
    method: 'DELETE',
    url: '/saved-filters/:filter_id',
    role: 'staff',
    summary: 'Delete a saved filter',
    params: { filter_id: Type.String() },
    response: Done,
    handler: async ({ signedIn, params }) => {
      await deleteMyFilter(deps, signedIn, params.filter_id);
      return DONE;
    },
  });
  consoleRoute(app, {
    ownOnly: true,
    method: 'GET',
    url: '/companies',
    role: 'staff',
    summary: 'Companies that the operator may see',
    response: ConsoleCompanies,
    handler: async ({ signedIn }) => ({ items: await listCompaniesOf(deps.db, signedIn.operator.id) }),
  });
}
