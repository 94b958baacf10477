import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CLIENT, startIdentityProvider, visitProvider } from '../../../testing/service/identity-provider.ts';
import { openTestService, refusalOf } from '../../../testing/service/temp-service.ts';
import { readSetupState } from '../setup/setup.ts';
import { changeOperator } from './change.ts';
import { beginOidcSignIn, finishOidcSignIn, testOidc } from './oidc.ts';
import { changeOidc, readOidcSettings } from './oidc-setting.ts';
import { resumeSession } from './operator-session.ts';
import { createOperator, resetOperator } from './operators.ts';
import { listOperatorRecords } from './records.ts';
import { needsSecondFactor } from './second-factor.ts';
import { signIn } from './sign-in.ts';

const HERE = { address: '192.0.2.10', device: 'test', previousToken: null };
const BACK = 'https://console.venue.local/oidc';
const OFFERED = {
  enabled: true,
  label: 'Entra ID',
  client_id: CLIENT.id,
  secret: CLIENT.secret,
  admin_groups: 'gatehouse-admins, it',
  reviewer_groups: 'gatehouse-reviewers',
  staff_groups: 'door',
};
const LIFE_MS = 10 * 60_000;
const WHY = { reason: 'test', actor: 'cli' } as const;

/** A service whose operators sign in at a real provider. */
async function withProvider() {
  const { deps, clock } = await openTestService();
  const provider = await startIdentityProvider([BACK]);
  onTestFinished(() => provider.close());
  await createOperator(deps, { name: 'Root', role: 'admin', origin: 'cli', actor: 'cli' });
  await changeOidc(deps, { ...OFFERED, issuer: provider.issuer }, 'cli');
  const begin = () => beginOidcSignIn(deps, { address: HERE.address, redirectUri: BACK });
  const finish = (secret: string | null, returned: URL) => finishOidcSignIn(deps, { secret, returned }, HERE);
  const enter = async () => {
    const { url, secret } = await begin();
    return finish(secret, await visitProvider(url, provider));
  };
  return { deps, clock, provider, begin, finish, enter };
}

describe('signing in at the identity provider', () => {
  it('creates the operator with the role of their group, once, and signs them in', async () => {
    const { deps, enter } = await withProvider();
    const { signedIn, token } = await enter();
    expect(signedIn.operator).toMatchObject({ name: 'Ada Lovelace', role: 'admin' });
    expect((await resumeSession(deps, token, { isActivity: false })).operator.name).toBe('Ada Lovelace');
    expect((await enter()).signedIn.operator.id).toBe(signedIn.operator.id);
    const records = await listOperatorRecords(deps);
    expect(records.map(({ name, single_sign_on }) => [name, single_sign_on])).toEqual([
      ['Ada Lovelace', true],
      ['Root', false],
    ]);
  });

  it('gives the highest role of the groups at each sign-in, and none without a group', async () => {
    const { deps, provider, enter } = await withProvider();
    const first = await enter();
    provider.account = { ...provider.account, groups: ['door', 'gatehouse-reviewers'] };
    expect((await enter()).signedIn.operator.role).toBe('reviewer');
    provider.account = { ...provider.account, groups: ['canteen'] };
    expect(await refusalOf(enter())).toBe('oidc_no_role');
    expect(await refusalOf(resumeSession(deps, first.token, { isActivity: false }))).toBe('session_ended');
  });

  it('knows groups by names with commas, as directories have them', async () => {
    const { deps, provider, enter } = await withProvider();
    await changeOidc(deps, { staff_groups: 'door, "CN=Door, West,OU=Groups" ,canteen' }, 'cli');
    for (const [group, role] of [
      ['CN=Door, West,OU=Groups', 'staff'],
      ['canteen', 'staff'],
      ['OU=Groups"', null],
    ] as const) {
      provider.account = { ...provider.account, groups: [group] };
      if (role === null) expect(await refusalOf(enter())).toBe('oidc_no_role');
      else expect((await enter()).signedIn.operator.role).toBe(role);
    }
  });

  it('asks its admin for no second factor, and asks for one after a passphrase', async () => {
    const { deps, enter } = await withProvider();
    const { signedIn } = await enter();
    const open = { isConsoleOpen: () => true };
    expect(needsSecondFactor(open, signedIn)).toBe(false);
    const { passphrase } = await resetOperator(deps, signedIn.operator.id, WHY);
    const offline = await signIn(deps, { name: 'Ada Lovelace', passphrase: passphrase ?? '' }, HERE);
    expect(needsSecondFactor(open, offline.signedIn)).toBe(true);
  });

  it('never joins a local operator of the same name', async () => {
    const { deps, enter } = await withProvider();
    const local = await createOperator(deps, {
      name: 'Ada Lovelace',
      role: 'staff',
      origin: 'cli',
      actor: 'cli',
    });
    const { signedIn } = await enter();
    expect(signedIn.operator.id).not.toBe(local.operator.operator_id);
    expect(signedIn.operator.name).toBe('Ada Lovelace (ada-1815)');
  });

  it('leaves one local admin, however many admins the provider has', async () => {
    const { deps, enter } = await withProvider();
    await enter();
    const root = (await listOperatorRecords(deps)).find(({ name }) => name === 'Root');
    expect(await refusalOf(changeOperator(deps, root?.operator_id ?? '', { disabled: true }, WHY))).toBe(
      'last_admin',
    );
  });

  it('signs nobody in who is disabled here', async () => {
    const { deps, enter } = await withProvider();
    const { signedIn } = await enter();
    await changeOperator(deps, signedIn.operator.id, { disabled: true }, WHY);
    expect(await refusalOf(enter())).toBe('oidc_refused');
  });

  it('works once for each beginning, in its own browser, within ten minutes', async () => {
    const { clock, provider, begin, finish } = await withProvider();
    const one = await begin();
    const back = await visitProvider(one.url, provider);
    expect(await refusalOf(finish(null, back))).toBe('oidc_refused');
    expect(await refusalOf(finish((await begin()).secret, back))).toBe('oidc_refused');
    expect(await refusalOf(finish(one.secret, back))).toBe('(not refused)');
    expect(await refusalOf(finish(one.secret, back))).toBe('oidc_refused');
    const late = await begin();
    clock.advance(LIFE_MS);
    expect(await refusalOf(finish(late.secret, await visitProvider(late.url, provider)))).toBe(
      'oidc_refused',
    );
  });

  it('refuses a state that was changed on the way, and a sign-in that was cancelled there', async () => {
    const { provider, begin, finish } = await withProvider();
    const one = await begin();
    const back = await visitProvider(one.url, provider);
    back.searchParams.set('state', 'another');
    expect(await refusalOf(finish(one.secret, back))).toBe('oidc_refused');
    const two = await begin();
    const cancelled = new URL(`${BACK}?error=access_denied&iss=${encodeURIComponent(provider.issuer)}`);
    cancelled.searchParams.set('state', new URL(two.url).searchParams.get('state') ?? '');
    expect(await refusalOf(finish(two.secret, cancelled))).toBe('oidc_refused');
  });

  const hourAgo = Math.floor(Date.now() / 1_000) - 3_600;
  it.each([
    ['another issuer in its token', { claims: { iss: 'https://evil.example' } }],
    ['another audience', { claims: { aud: 'somebody-else' } }],
    ['another nonce', { claims: { nonce: 'another' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['an expired token', { claims: { exp: hourAgo, iat: hourAgo } }],
    ['another person than its own page says', { claims: { sub: 'mallory' } }],
    ['an unsigned token', { unsigned: true }],
    ['a key that it doesn’t publish', { unknownKey: true }],
    ['a redirect of the exchange to elsewhere', { redirect: 'http://127.0.0.1:9/elsewhere' }],
  ])('refuses a provider with %s', async (_, lie) => {
    const { deps, provider, begin, finish } = await withProvider();
    const { url, secret } = await begin();
    const back = await visitProvider(url, provider);
    provider.lie = lie;
    expect(await refusalOf(finish(secret, back))).toBe('oidc_refused');
    expect((await listOperatorRecords(deps)).map(({ name }) => name)).toEqual(['Root']);
  });

  it('refuses a provider that describes itself as another', async () => {
    const { deps, provider, begin } = await withProvider();
    provider.lie = { issuer: 'https://evil.example' };
    expect(await refusalOf(begin())).toBe('oidc_refused');
    expect(await refusalOf(testOidc(deps))).toBe('oidc_refused');
  });

  it('takes a token whose time is up to a minute off', async () => {
    const { provider, begin, finish } = await withProvider();
    const { url, secret } = await begin();
    const back = await visitProvider(url, provider);
    const now = Math.floor(Date.now() / 1_000);
    provider.lie = { claims: { iat: now + 40, exp: now + 600, nbf: now + 40 } };
    expect(await refusalOf(finish(secret, back))).toBe('(not refused)');
  });

  it('knows the provider’s next key as soon as it signs with it', async () => {
    const { provider, enter } = await withProvider();
    await enter();
    provider.rotateKey();
    expect(await refusalOf(enter())).toBe('(not refused)');
  });

  it('says that the provider is away when it is down, fails or says nothing, and passphrases still work', async () => {
    const { deps, provider, begin } = await withProvider();
    provider.lie = { status: 503 };
    expect(await refusalOf(begin())).toBe('oidc_unreachable');
    await provider.close();
    expect(await refusalOf(begin())).toBe('oidc_unreachable');
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void silent.close());
    await changeOidc(deps, { issuer: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` }, 'cli');
    expect(await refusalOf(begin())).toBe('oidc_unreachable');
    const request = { name: 'Grace', role: 'staff', origin: 'cli', actor: 'cli' } as const;
    const { passphrase } = await createOperator(deps, request);
    expect(await refusalOf(signIn(deps, { name: 'Grace', passphrase: passphrase ?? '' }, HERE))).toBe(
      '(not refused)',
    );
  });
});

describe('the setting of the identity provider', () => {
  it('is off at first, and the sign-in page offers it only while it is on', async () => {
    const { deps } = await openTestService();
    await createOperator(deps, { name: 'Root', role: 'admin', origin: 'cli', actor: 'cli' });
    const ports = { ...deps, recovery: { isOpen: false } };
    const offered = async () => (await readSetupState(ports, { isLocal: true })).single_sign_on;
    expect(await offered()).toBeNull();
    expect(await refusalOf(beginOidcSignIn(deps, { address: '::1', redirectUri: BACK }))).toBe('oidc_off');
    await changeOidc(deps, { ...OFFERED, issuer: 'https://id.example' }, 'cli');
    expect(await offered()).toBe('Entra ID');
  });

  it.each([
    ['an address without TLS on another machine', { issuer: 'http://id.example' }],
    ['no group', { admin_groups: ' ,', reviewer_groups: '', staff_groups: '' }],
    ['a scope without openid', { scope: 'profile' }],
    ['no name', { label: ' ' }],
  ])('isn’t switched on with %s', async (_, change) => {
    const { deps } = await openTestService();
    const whole = { ...OFFERED, issuer: 'https://id.example', ...change };
    expect(await refusalOf(changeOidc(deps, whole, 'cli'))).toBe('oidc_incomplete');
    expect((await readOidcSettings(deps)).enabled).toBe(false);
  });

  it('never shows its secret, not even to the audit log, and keeps one that was not sent', async () => {
    const { deps } = await openTestService();
    await changeOidc(deps, { ...OFFERED, issuer: 'https://id.example' }, 'cli');
    await changeOidc(deps, { label: 'Keycloak' }, 'cli');
    const shown = await readOidcSettings(deps);
    expect(shown).toMatchObject({ label: 'Keycloak', has_secret: true });
    const entries = await deps.db.all('SELECT details FROM audit_entries');
    expect(JSON.stringify([shown, entries])).not.toContain(CLIENT.secret);
  });

  it('forgets the secret with another issuer, who would be sent it otherwise', async () => {
    const { deps } = await openTestService();
    await changeOidc(deps, { ...OFFERED, issuer: 'https://id.example' }, 'cli');
    await changeOidc(deps, { issuer: 'https://other.example' }, 'cli');
    expect(await readOidcSettings(deps)).toMatchObject({
      issuer: 'https://other.example',
      has_secret: false,
    });
    await changeOidc(deps, { issuer: 'https://id.example', secret: CLIENT.secret }, 'cli');
    expect((await readOidcSettings(deps)).has_secret).toBe(true);
  });
});
