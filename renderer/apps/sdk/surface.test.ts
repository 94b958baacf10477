import { afterEach, expect, expectTypeOf, test, vi } from 'vitest';
import { GatehouseError } from './session.ts';
import type * as Esm from './esm.ts';
import type * as Surface from './gatehouse.d.ts';
import type * as Iife from './iife.ts';
import { createSdk } from './sdk.ts';

afterEach(() => vi.unstubAllGlobals());

test('the build matches its types', () => {
  expectTypeOf<typeof Esm>().toExtend<typeof Surface>();
  expectTypeOf<typeof Iife>().toExtend<typeof Surface>();
});

test('a call that cannot work says what is missing', async () => {
  await expect(createSdk(null).vycheck({ session: 'vs_1' })).rejects.toThrow('init({ baseUrl })');
  const sdk = createSdk('https://v.example/sdk/gatehouse.js');
  await expect(sdk.vycheck()).rejects.toMatchObject({ code: 'setup' });
  await expect(sdk.vycheck({ session: ' ' })).rejects.toMatchObject({ code: 'setup' });
  await expect(sdk.vycheck({ session: 'a', mode: 'iframe', display: 'inline' })).rejects.toMatchObject({
    code: 'setup',
  });
  expect(() => sdk.init({ baseUrl: 'nowhere' })).toThrow(GatehouseError);
});

test('an unknown mode throws', async () => {
  const sdk = createSdk('https://v.example/sdk/gatehouse.js');
  const mode = 'popup' as 'iframe';
  expect(() => sdk.init({ mode })).toThrow('There is no mode "popup"');
  await expect(sdk.vycheck({ session: 'vs_1', mode })).rejects.toThrow('There is no mode "popup"');
});

test('the page’s address or the last result is read; an empty page has nulls', () => {
  vi.stubGlobal('location', { href: 'https://shop.example/cart?vyt=t&vyc=1' });
  const replaceState = vi.fn();
  vi.stubGlobal('history', { state: null, replaceState });
  const sdk = createSdk('https://v.example/sdk/gatehouse.js');
  expect(sdk.vyget()).toEqual({ token: 't', vyt: 't', verified: true, vyc: '1' });
  expect(replaceState).toHaveBeenCalledExactlyOnceWith(null, '', 'https://shop.example/cart');
  vi.stubGlobal('location', { href: 'https://shop.example/cart' });
  expect(sdk.vyget().token).toBe('t');
  const empty = createSdk('https://v.example/sdk/gatehouse.js').vyget();
  expect(empty).toEqual({ token: null, vyt: null, verified: false, vyc: null });
});

test('a redirect never resolves, and has nothing to close', async () => {
  const assign = vi.fn();
  vi.stubGlobal('location', { assign, origin: 'https://shop.example', pathname: '/cart' });
  const sdk = createSdk('https://v.example/sdk/gatehouse.js');
  const check = sdk.vycheck({ session: 'vs_1' });
  check.close();
  await expect.poll(() => assign).toHaveBeenCalledOnce();
  await expect(Promise.race([check, Promise.resolve('still open')])).resolves.toBe('still open');
});

test('settings of init apply to each check, whose own options take precedence; a session needs no key', async () => {
  const assign = vi.fn();
  vi.stubGlobal('location', { assign, origin: 'https://shop.example', pathname: '/cart' });
  const asked = vi.fn<typeof fetch>(async () => Response.json({ session_id: 'vs_made' }));
  vi.stubGlobal('fetch', asked);
  const sdk = createSdk('https://v.example/sdk/gatehouse.js');
  sdk.init({ publishableKey: 'pk_test_1', returnPath: '/done', connectBase: 'https://elsewhere.example' });
  void sdk.vycheck({ config: { limit: { kind: 'none' } } });
  await expect.poll(() => assign).toHaveBeenCalledWith('https://v.example/verification?vys=vs_made');
  expect(asked.mock.calls[0]?.[0]).toBe('https://v.example/v3/initialize');
  expect(JSON.parse(asked.mock.calls[0]?.[1]?.body as string)).toEqual({
    origin: 'https://shop.example',
    return_path: '/done',
    config: { limit: { kind: 'none' } },
  });
  void sdk.vycheck({ session: 'vs_given' });
  await expect.poll(() => assign).toHaveBeenCalledWith('https://v.example/verification?vys=vs_given');
  expect(asked).toHaveBeenCalledOnce();
});
