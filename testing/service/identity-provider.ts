/** A real OpenID Connect provider on this machine, which signs everybody in as its account without asking, and lies if a test wants it. */
import { createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration, type JWK } from 'oidc-provider';

export const CLIENT = { id: 'gatehouse', secret: 'correct-horse-battery-staple' } as const;

type Account = { id: string; name: string; groups: readonly string[] };

/** What it answers wrongly from now on. */
export type Lie = {
  /** Claims of the ID token that are replaced; undefined removes one. */
  claims?: Readonly<Record<string, unknown>>;
  /** The ID token is not signed. */
  unsigned?: boolean;
  /** Signed with a key that it doesn't publish. */
  unknownKey?: boolean;
  /** The token endpoint sends on to this address. */
  redirect?: string;
  /** Its description says that it is somebody else. */
  issuer?: string;
  /** Every reply is this status. */
  status?: number;
};

export type IdentityProvider = {
  readonly issuer: string;
  account: Account;
  lie: Lie;
  /** From now on it signs with a new key, and no longer publishes the old one. */
  rotateKey(): void;
  close(): Promise<void>;
};

/** @param redirectUris of the console */
export async function startIdentityProvider(redirectUris: readonly string[]): Promise<IdentityProvider> {
  let turn = 0;
  let key: JWK = newKey(turn);
  let handle: ReturnType<Provider['callback']> = () => Promise.resolve();
  let provider: Provider;
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const { status, redirect } = state.lie;
    if (status !== undefined) return void response.writeHead(status).end('{}');
    if (path === '/token' && redirect !== undefined)
      return void response.writeHead(307, { location: redirect }).end();
    if (path === '/token') rewrite(response, 'id_token', (token) => forged(token, key, state.lie));
    if (path.endsWith('/openid-configuration') && state.lie.issuer !== undefined)
      rewrite(response, 'issuer', () => state.lie.issuer ?? '');
    if (path.startsWith('/interaction/')) return void interact(provider, state, request, response);
    return void handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const renew = () => {
    provider = new Provider(
      issuer,
      configuration(redirectUris, () => state.account, key),
    );
    handle = provider.callback();
  };
  const state: IdentityProvider = {
    issuer,
    account: { id: 'ada-1815', name: 'Ada Lovelace', groups: ['gatehouse-admins'] },
    lie: {},
    rotateKey() {
      turn += 1;
      key = newKey(turn);
      renew();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  renew();
  return state;
}

function newKey(turn: number): JWK {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: `key-${turn}`, use: 'sig', alg: 'RS256' };
}

const configuration = (redirectUris: readonly string[], account: () => Account, key: JWK): Configuration => ({
  clients: [
    {
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
      redirect_uris: [...redirectUris],
      response_types: ['code'],
      grant_types: ['authorization_code'],
    },
  ],
  jwks: { keys: [key] },
  cookies: { keys: ['a key of tests'] },
  claims: { openid: ['sub'], profile: ['name', 'groups'] },
  features: { devInteractions: { enabled: false } },
  pkce: { required: () => true },
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  findAccount: () => {
    const { id, name, groups } = account();
    return { accountId: id, claims: () => ({ sub: id, name, groups }) };
  },
  loadExistingGrant: async ({ oidc }) => {
    const grant = new oidc.provider.Grant({ accountId: account().id, clientId: CLIENT.id });
    grant.addOIDCScope('openid profile');
    await grant.save();
    return grant;
  },
});

async function interact(
  provider: Provider,
  { account }: IdentityProvider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  await provider.interactionDetails(request, response);
  await provider.interactionFinished(request, response, {
    login: { accountId: account.id, remember: false },
  });
}

/** Replaces one text of a JSON reply. */
function rewrite(response: ServerResponse, field: string, change: (text: string) => string): void {
  const end = response.end.bind(response);
  response.end = ((body?: unknown) => {
    const json = JSON.parse(String(body)) as Record<string, unknown>;
    const value = json[field];
    if (typeof value === 'string') json[field] = change(value);
    const text = JSON.stringify(json);
    response.setHeader('content-length', Buffer.byteLength(text));
    return end(text);
  }) as typeof response.end;
}

function forged(token: string, key: JWK, { claims, unsigned, unknownKey }: Lie): string {
  if (claims === undefined && unsigned !== true && unknownKey !== true) return token;
  const [, payload = ''] = token.split('.');
  const said = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const header = { alg: unsigned === true ? 'none' : 'RS256', kid: unknownKey === true ? 'stolen' : key.kid };
  const text = [header, { ...said, ...claims }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  if (unsigned === true) return `${text}.`;
  const own: KeyObject = createPrivateKey({ key: key as JsonWebKey, format: 'jwk' });
  const signer = unknownKey === true ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey : own;
  return `${text}.${sign('sha256', Buffer.from(text), signer).toString('base64url')}`;
}

/** What a browser does at the provider: follows its redirects, with its cookies, until it is sent back to the console. */
export async function visitProvider(url: string, { issuer }: IdentityProvider): Promise<URL> {
  const cookies = new Map<string, string>();
  let next = url;
  while (next.startsWith(issuer)) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(next, { redirect: 'manual', headers: { cookie } });
    for (const set of reply.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split(/=(.*)/s);
      cookies.set(name, value);
    }
    const location = reply.headers.get('location');
    if (location === null) throw new Error(`The provider answered ${reply.status}: ${await reply.text()}`);
    next = new URL(location, issuer).href;
  }
  return new URL(next);
}
