/** First start, sign-in, and operators' own settings. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Me } from '../../contract/console/access.ts';
import { findDemoCompany, listCompaniesOf } from '../../services/companies/companies.ts';
import { readPrivacyContact } from '../../services/companies/details.ts';
import { versionOf } from '../../services/wire/versions.ts';
import { readVenueZones } from '../../services/companies/zones.ts';
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
import type { ConsoleDeps } from '../deps.ts';
import {
  beginEnrolment,
  confirmEnrolment,
  needsSecondFactor,
  readSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from '../../services/operators/second-factor.ts';
import { type SessionOrigin, type SignedIn, toMe } from '../../services/operators/operator-session.ts';
import { createMissingCompany, readSetupState, setUp } from '../../services/setup/setup.ts';
import { recoverableAdmins, recoverAdmin } from '../../services/setup/recovery.ts';
import {
  addPasskey,
  beginPasskey,
  nameMyPasskey,
  readPasskeys,
  removePasskey,
} from '../../services/operators/passkeys.ts';
import { beginPasskeySignIn, signInWithPasskey } from '../../services/operators/passkey-sign-in.ts';
import { signIn, signOut } from '../../services/operators/sign-in.ts';
import { isLocal, relyingPartyOf } from './origin.ts';
import {
  giveOidcCookie,
  giveSessionCookie,
  sessionTokenOf,
  takeOidcCookie,
  takeSessionCookie,
} from './guard.ts';
import { beginOidcSignIn, finishOidcSignIn } from '../../services/operators/oidc.ts';
import {
  account,
  companies,
  passkeys,
  savedFilters,
  secondFactor,
  session,
  setup,
} from '../../contract/routes/console/access.ts';
import { done, register } from './register.ts';

type AccessDeps = Pick<
  ConsoleDeps,
  | 'db'
  | 'clock'
  | 'wallClock'
  | 'deletions'
  | 'randomInt'
  | 'baseUrl'
  | 'connectUrl'
  | 'trustPage'
  | 'refusals'
  | 'unsavedActivity'
  | 'isConsoleOpen'
  | 'recovery'
>;

export function accessRoutes(app: FastifyInstance, deps: AccessDeps): void {
  publicRoutes(app, deps);
  sessionRoutes(app, deps);
  secondFactorRoutes(app, deps);
  passkeyRoutes(app, deps);
  accountRoutes(app, deps);
}

function publicRoutes(app: FastifyInstance, deps: AccessDeps): void {
  register(app, deps, setup.read, ({ request }) =>
    readSetupState(deps, { isLocal: isLocal(request), party: relyingPartyOf(request) }),
  );
  register(app, deps, setup.create, async ({ body, request, reply }) => {
    const origin = { ...originOf(request), isLocal: isLocal(request) };
    const { token, response } = await setUp(deps, body, origin);
    giveSessionCookie(request, reply, token);
    return response;
  });
  register(app, deps, setup.recoverableAdmins, ({ body: { phrase }, request }) =>
    recoverableAdmins(deps, phrase, { isLocal: isLocal(request) }),
  );
  register(app, deps, setup.recover, ({ body, request }) =>
    done(recoverAdmin(deps, body, { isLocal: isLocal(request) })),
  );
  register(app, deps, session.signIn, async ({ body, request, reply }) => {
    const origin = { ...originOf(request), previousToken: sessionTokenOf(request) };
    const { token, signedIn } = await signIn(deps, body, origin);
    giveSessionCookie(request, reply, token);
    return meOf(deps, signedIn);
  });
  register(app, deps, session.beginPasskey, async ({ request }) => ({
    options: await beginPasskeySignIn(deps, request.ip, relyingPartyOf(request)),
  }));
  register(app, deps, session.beginOidc, async ({ request, reply }) => {
    const { url, secret } = await beginOidcSignIn(deps, {
      address: request.ip,
      redirectUri: oidcAddressOf(request),
    });
    giveOidcCookie(request, reply, secret);
    return { url };
  });
  register(app, deps, session.signInWithOidc, async ({ body, request, reply }) => {
    const returned = new URL(oidcAddressOf(request));
    returned.search = body.query;
    const origin = { ...originOf(request), previousToken: sessionTokenOf(request) };
    const secret = takeOidcCookie(request, reply);
    const { token, signedIn } = await finishOidcSignIn(deps, { secret, returned }, origin);
    giveSessionCookie(request, reply, token);
    return meOf(deps, signedIn);
  });
  register(app, deps, session.signInWithPasskey, async ({ body, request, reply }) => {
    const origin = { ...originOf(request), previousToken: sessionTokenOf(request) };
    const { token, signedIn } = await signInWithPasskey(deps, body, origin, relyingPartyOf(request));
    giveSessionCookie(request, reply, token);
    return meOf(deps, signedIn);
  });
}

/** Where the identity provider sends the browser back to; one of the console’s own names (`refuseForeignHosts`). */
const oidcAddressOf = ({ protocol, headers }: FastifyRequest): string =>
  `${protocol}://${headers.host ?? ''}/oidc`;

const meOf = (deps: Pick<ConsoleDeps, 'isConsoleOpen'>, signedIn: SignedIn): Me =>
  toMe(signedIn, needsSecondFactor(deps, signedIn));

const originOf = (request: FastifyRequest): SessionOrigin => ({
  address: request.ip,
  device: deviceLabel(request.headers['user-agent']),
});

function sessionRoutes(
  app: FastifyInstance,
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'unsavedActivity' | 'isConsoleOpen'>,
): void {
  const leave = async (request: FastifyRequest, reply: FastifyReply) => {
    takeSessionCookie(request, reply);
    // The page's cached replies are cleared with the session.
    void reply.header('clear-site-data', '"cache"');
    return { ok: true } as const;
  };

  register(app, deps, session.me, async ({ signedIn }) => meOf(deps, signedIn));
  register(app, deps, session.stay, async ({ signedIn }) => meOf(deps, signedIn));
  register(app, deps, session.signOut, async ({ signedIn, request, reply }) => {
    await signOut(deps, signedIn, { everywhere: false });
    return { ...(await leave(request, reply)), provider_url: signedIn.provider || null };
  });
  register(app, deps, session.signOutEverywhere, async ({ signedIn, request, reply }) => {
    await signOut(deps, signedIn, { everywhere: true });
    return leave(request, reply);
  });
  register(app, deps, session.list, ({ signedIn }) => listMySessions(deps, signedIn));
  register(app, deps, session.end, async ({ signedIn, params }) => {
    await endMySession(deps, signedIn, params.session_id);
    return listMySessions(deps, signedIn);
  });
}

function secondFactorRoutes(
  app: FastifyInstance,
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'wallClock' | 'randomInt' | 'refusals' | 'isConsoleOpen'>,
): void {
  register(app, deps, secondFactor.read, ({ signedIn }) => readSecondFactor(deps, signedIn));
  register(app, deps, secondFactor.begin, ({ signedIn, body }) => beginEnrolment(deps, signedIn, body));
  register(app, deps, secondFactor.confirm, ({ signedIn, body }) => confirmEnrolment(deps, signedIn, body));
  register(app, deps, secondFactor.remove, ({ signedIn, body }) =>
    done(removeSecondFactor(deps, signedIn, body)),
  );
  register(app, deps, secondFactor.renewRecoveryCodes, ({ signedIn, body }) =>
    renewRecoveryCodes(deps, signedIn, body),
  );
}

function passkeyRoutes(app: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock' | 'refusals'>): void {
  const read = (signedIn: SignedIn, request: FastifyRequest) =>
    readPasskeys(deps, signedIn, relyingPartyOf(request));
  register(app, deps, passkeys.list, ({ signedIn, request }) => read(signedIn, request));
  register(app, deps, passkeys.begin, async ({ signedIn, body, request }) => ({
    options: await beginPasskey(deps, signedIn, body, relyingPartyOf(request)),
  }));
  register(app, deps, passkeys.add, async ({ signedIn, body, request }) => {
    await addPasskey(deps, signedIn, body, relyingPartyOf(request));
    return read(signedIn, request);
  });
  register(app, deps, passkeys.rename, async ({ signedIn, params, body, request }) => {
    await nameMyPasskey(deps, signedIn, params.passkey_id, body);
    return read(signedIn, request);
  });
  register(app, deps, passkeys.remove, async ({ signedIn, params, body, request }) => {
    await removePasskey(deps, signedIn, params.passkey_id, body);
    return read(signedIn, request);
  });
}

function accountRoutes(
  app: FastifyInstance,
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'refusals' | 'isConsoleOpen'>,
): void {
  register(app, deps, account.changePassphrase, async ({ signedIn, body }) => {
    await changePassphrase(deps, signedIn, body);
    return listMySessions(deps, signedIn);
  });
  register(app, deps, account.changePin, async ({ signedIn, body }) => {
    await changePin(deps, signedIn, body);
    return meOf(deps, { ...signedIn, hasPin: true });
  });
  register(app, deps, account.removePin, async ({ signedIn }) => {
    await removePin(deps, signedIn);
    return meOf(deps, { ...signedIn, hasPin: false });
  });
  register(app, deps, savedFilters.list, ({ signedIn }) => listMyFilters(deps, signedIn));
  register(app, deps, savedFilters.create, ({ signedIn, body }) => saveMyFilter(deps, signedIn, body));
  register(app, deps, savedFilters.remove, ({ signedIn, params }) =>
    done(deleteMyFilter(deps, signedIn, params.filter_id)),
  );
  register(app, deps, setup.createCompany, ({ body, actor }) =>
    done(createMissingCompany(deps, body, actor)),
  );
  register(app, deps, companies.list, async ({ signedIn }) => {
    const zones = await readVenueZones(deps.db);
    const demoId = await findDemoCompany(deps.db);
    const items = await listCompaniesOf(deps.db, signedIn.operator.id);
    const detailed = items.map(async (company) => {
      const zone = zones[company.company_id] ?? null;
      const privacy_contact = await readPrivacyContact(deps.db, company.company_id);
      const details_version = versionOf({ name: company.name, privacy_contact });
      const is_sample = company.company_id === demoId;
      return {
        ...company,
        zone,
        zone_version: versionOf({ zone }),
        privacy_contact,
        details_version,
        is_sample,
      };
    });
    return { items: await Promise.all(detailed) };
  });
}

const MAX_LENGTH = 60;

const BROWSERS: readonly [mark: RegExp, name: string][] = [
  [/Electron\//, 'Gatehouse app'],
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly [mark: RegExp, name: string][] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** "Firefox on Windows": enough for operators to tell their own sessions apart. */
function deviceLabel(userAgent: string | undefined): string {
  const nameIn = (list: typeof BROWSERS) => list.find(([mark]) => mark.test(userAgent ?? ''))?.[1];
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)];
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  return (userAgent ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, MAX_LENGTH) || 'unknown';
}
