/** Talking to the identity provider: discovery, the exchange of the code, and who it says somebody is. */
import type * as OpenId from 'openid-client';
import { Refusal } from '../../refusals/refusal.ts';
import type { OidcSetting } from './oidc-setting.ts';

/** A provider that is silent for longer counts as away. */
const TIMEOUT_MS = 10_000;
/** More than any provider's document or token. */
const MOST_BYTES = 1024 * 1024;
/** Seconds that its clock may differ from this machine's. */
const CLOCK_TOLERANCE_S = 60;
const LOCAL_HTTP = /^http:/;

type Checks = { verifier: string; state: string; nonce: string };
type Claims = Readonly<Record<string, unknown>>;
export type Provided = { issuer: string; subject: string; claims: Claims; signOutUrl: string };

/** What went wrong: `away` is worth another try later. */
export class ProviderError extends Error {
  readonly isAway: boolean;
  constructor(reason: string, { isAway }: { isAway: boolean }) {
    super(reason);
    this.isAway = isAway;
  }
}

/** @throws Refusal for a failure of the provider; anything else as it is */
export const refusalFor = (error: unknown): unknown =>
  error instanceof ProviderError ? new Refusal(error.isAway ? 'oidc_unreachable' : 'oidc_refused') : error;

/**
 * The provider as it describes itself now. Nothing is kept, so its next key is known as soon as it signs with it.
 * @throws ProviderError
 */
async function describe(setting: OidcSetting): Promise<{
  openid: typeof OpenId;
  config: OpenId.Configuration;
  attempt: <T>(work: Promise<T>) => Promise<T>;
}> {
  const openid = await import('openid-client');
  let isAway = false;
  const attempt = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw new ProviderError(reasonOf(error), { isAway });
    }
  };
  const boundedFetch: OpenId.CustomFetch = async (url, options) => {
    try {
      const reply = await fetch(url, { ...options, body: options.body ?? null } as RequestInit);
      if (reply.status >= 500) isAway = true;
      return new Response(await bodyOf(reply), { status: reply.status, headers: reply.headers });
    } catch (error) {
      isAway = true;
      throw error;
    }
  };
  const config = await attempt(
    openid.discovery(
      new URL(setting.issuer),
      setting.clientId,
      { [openid.clockTolerance]: CLOCK_TOLERANCE_S },
      setting.clientSecret === '' ? openid.None() : openid.ClientSecretBasic(setting.clientSecret),
      {
        [openid.customFetch]: boundedFetch,
        timeout: TIMEOUT_MS / 1_000,
        // Also checks the signature of a token that came from the provider itself over TLS.
        execute: [
          openid.enableNonRepudiationChecks,
          // oxlint-disable-next-line typescript/no-deprecated -- marked so to be noticed; only for a provider on this machine
          ...(LOCAL_HTTP.test(setting.issuer) ? [openid.allowInsecureRequests] : []),
        ],
      },
    ),
  );
  return { openid, config, attempt };
}

/** Null bodies stay null, as a redirect's: those are refused, never followed. */
async function bodyOf(reply: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  if (reply.body === null) return null;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of reply.body as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    if (bytes > MOST_BYTES) throw new Error('The reply of the identity provider is too long.');
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}

/** A code of the library, never text of the provider. */
const reasonOf = (error: unknown): string => {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : 'no answer';
};

/** @throws ProviderError */
export async function checkProvider(setting: OidcSetting): Promise<void> {
  await describe(setting);
}

/**
 * Where the browser signs in.
 * @throws ProviderError
 */
export async function authorizationUrl(
  setting: OidcSetting,
  redirectUri: string,
  { verifier, state, nonce }: Checks,
): Promise<string> {
  const { openid, config } = await describe(setting);
  return openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: setting.scope,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  }).href;
}

/**
 * Who signed in, by the address that the browser came back with. Checks state, PKCE, nonce, signature, issuer, audience and times.
 * @throws ProviderError
 */
export async function exchange(
  setting: OidcSetting,
  returned: URL,
  { verifier, state, nonce }: Checks,
): Promise<Provided> {
  const { openid, config, attempt } = await describe(setting);
  const tokens = await attempt(
    openid.authorizationCodeGrant(config, returned, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    }),
  );
  const idToken = tokens.claims();
  if (idToken === undefined) throw new ProviderError('no ID token', { isAway: false });
  const server = config.serverMetadata();
  // Most providers put groups and names there, some into the token.
  const hasAll = setting.groupsClaim in idToken && 'name' in idToken;
  const more =
    hasAll || server.userinfo_endpoint === undefined
      ? {}
      : await attempt(openid.fetchUserInfo(config, tokens.access_token, idToken.sub));
  return {
    issuer: idToken.iss,
    subject: idToken.sub,
    claims: { ...more, ...idToken },
    signOutUrl: signOutUrlOf(server.end_session_endpoint, setting),
  };
}

/** Empty if there is none. */
function signOutUrlOf(endpoint: string | undefined, { issuer, clientId }: OidcSetting): string {
  if (endpoint === undefined || !URL.canParse(endpoint)) return '';
  const url = new URL(endpoint);
  if (url.protocol !== 'https:' && !(LOCAL_HTTP.test(issuer) && url.protocol === 'http:')) return '';
  url.searchParams.set('client_id', clientId);
  return url.href;
}
