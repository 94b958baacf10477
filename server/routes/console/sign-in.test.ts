/** Cookies and sessions of the console, as its pages get and lose them. */
import { expect, it } from 'vitest';
import { openConsoleServer } from '../../../testing/service/console-server.ts';
import type { Me } from '../../contract/console/access.ts';
import { CSRF_HEADER } from '../../contract/console/common.ts';
import { resetOperator } from '../../services/operators/operators.ts';

const NEXT = 'violet anchor meadow pepper';
const ENDED = [401, 'session_ended'];

async function openSignIn() {
  const { service, anyone, as } = await openConsoleServer();
  const { name, passphrase, call } = await as('staff');
  const { operator_id: operatorId } = ((await call('GET', '/me')).body as Me).operator;
  const signIn = (secret: string, cookie?: string) =>
    anyone.call('POST', '/sign-in', {
      payload: { name, passphrase: secret },
      ...(cookie !== undefined && { headers: { cookie } }),
    });
  /** Another browser of the operator. */
  const signedIn = async (secret: string, before?: string) => {
    const { body, headers } = await signIn(secret, before);
    const setCookie = String(headers['set-cookie']);
    const cookie = setCookie.split(';')[0] ?? '';
    const own = { cookie, [CSRF_HEADER]: (body as Me).csrf_token };
    return {
      ...{ setCookie, cookie, headers },
      call: (method: string, url: string, payload?: object) =>
        anyone.call(method, url, { headers: own, ...(payload && { payload }) }),
      me: async () => {
        const { status, error } = await anyone.call('GET', '/me', { headers: own });
        return [status, error];
      },
    };
  };
  return { ...service, operatorId, passphrase, signIn, signedIn };
}

it('the cookie is not available to scripts and other sites, and its reply is not stored', async () => {
  const { signedIn, passphrase } = await openSignIn();
  const { setCookie, headers } = await signedIn(passphrase);
  expect(setCookie).toMatch(
    /^gatehouse_console=[A-Za-z0-9]{43}; Path=\/console\/api; HttpOnly; SameSite=Strict$/,
  );
  expect(headers['cache-control']).toBe('no-store');
});

it('the cookie is a new one at each sign-in, and the previous one is invalid', async () => {
  const { signedIn, passphrase } = await openSignIn();
  const before = await signedIn(passphrase);
  const after = await signedIn(passphrase, before.cookie);
  expect(after.cookie).not.toBe(before.cookie);
  expect([await before.me(), await after.me()]).toEqual([ENDED, [200, undefined]]);
});

it('sessions end everywhere when their operator says so, at a reset, and with a new passphrase', async () => {
  const { deps, operatorId, passphrase, signIn, signedIn } = await openSignIn();
  const [one, two] = [await signedIn(passphrase), await signedIn(passphrase)];
  expect((await two.call('POST', '/sign-out-everywhere')).status).toBe(200);
  expect([await one.me(), await two.me()]).toEqual([ENDED, ENDED]);

  const [three, four] = [await signedIn(passphrase), await signedIn(passphrase)];
  const body = { current: passphrase, next: NEXT };
  expect((await four.call('PUT', '/me/passphrase', body)).status).toBe(200);
  expect([await three.me(), await four.me()]).toEqual([ENDED, [200, undefined]]);

  const { passphrase: reset } = await resetOperator(deps, operatorId, { actor: 'cli', reason: 'lost it' });
  expect(await four.me()).toEqual(ENDED);
  const refused = await signIn(NEXT);
  expect([refused.status, refused.error]).toEqual([401, 'sign_in_failed']);
  expect((await signIn(reset ?? '')).status).toBe(200);
});
