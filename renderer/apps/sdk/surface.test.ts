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

test('a second call while a check is starting returns the open one; a failed one is not kept', async () => {
  vi.stubGlobal('location', { assign: vi.fn(), origin: 'https://shop.example', pathname: '/cart' });
  const answers: ((reply: Response) => void)[] = [];
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => answers.push(resolve)));
  const sdk = createSdk('https://v.example/sdk/gatehouse.js');
  const first = sdk.vycheck({ publishableKey: 'pk_test_1' });
  expect(sdk.vycheck({ publishableKey: 'pk_test_1' })).toBe(first);
  answers[0]!(Response.json({ detail: 'no' }, { status: 400 }));
  await expect(first).rejects.toMatchObject({ code: 'refused' });
  expect(sdk.vycheck({ publishableKey: 'pk_test_1' })).not.toBe(first);
  expect(answers).toHaveLength(2);
});

test('a script in the head, before there is a body, is told so', async () => {
  vi.stubGlobal('location', { origin: 'https://shop.example', pathname: '/' });
  vi.stubGlobal('document', { body: null, querySelector: () => null });
  const sdk = createSdk('https://v.example/sdk/gatehouse.js');
  for (const display of ['drawer', 'inline'] as const) {
    const check = sdk.vycheck({ session: 'vs_1', mode: 'iframe', display, container: '#place' });
    await expect(check).rejects.toMatchObject({ code: 'setup' });
  }
});

test('an error of the page’s own that keeps the view from opening rejects', async () => {
  vi.stubGlobal('location', { origin: 'https://shop.example', pathname: '/' });
  vi.stubGlobal('navigator', { languages: ['en'] });
  vi.stubGlobal('document', {
    body: {},
    createElement: () => {
      throw new Error('not here');
    },
  });
  const sdk = createSdk('https://v.example/sdk/gatehouse.js');
  const check = sdk.vycheck({ session: 'vs_1', mode: 'iframe' });
  await expect(check).rejects.toMatchObject({ code: 'setup', detail: 'Error: not here' });
});

test('a page without an origin needs one for a redirect and for live keys', async () => {
  vi.stubGlobal('location', { origin: 'file://', pathname: '/x.html' });
  vi.stubGlobal('origin', 'null');
  vi.stubGlobal('document', { body: {} });
  const asked = vi.fn<typeof fetch>(async () => Response.json({ detail: 'no' }, { status: 400 }));
  vi.stubGlobal('fetch', asked);
  const sdk = createSdk('https://v.example/sdk/gatehouse.js');
  await expect(sdk.vycheck({ publishableKey: 'pk_test_1' })).rejects.toMatchObject({ code: 'setup' });
  const live = { publishableKey: 'pk_live_1', mode: 'iframe' } as const;
  await expect(sdk.vycheck(live)).rejects.toMatchObject({ code: 'setup' });
  expect(asked).not.toHaveBeenCalled();
  await expect(sdk.vycheck({ publishableKey: 'pk_test_1', mode: 'iframe' })).rejects.toThrow('refused');
  expect(asked.mock.calls[0]?.[1]?.body).toBe('{}');
});
