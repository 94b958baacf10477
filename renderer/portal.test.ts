import { expect, onTestFinished, test, vi } from 'vitest';
import { flow } from '../server/contract/routes/flow.ts';
import { kioskRefusalOf } from '../renderer/apps/kiosk/kiosk-api.ts';
import { makeSession } from '../renderer/apps/sdk/session.ts';
import { loadTroubleOf } from '../renderer/capture/landmarks/load-trouble.ts';
import { createClient } from '../renderer/http/client.ts';
import { createLine } from '../renderer/http/line.ts';
import { isPortal } from '../renderer/http/portal.ts';
import { retrying } from '../renderer/http/retrying.ts';

const page = () =>
  new Response('<html>Welcome to Hotel Wi-Fi</html>', {
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
const redirect = () => Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' });
const answer = (body: object) => Response.json(body);

const clientOn = (reply: () => Response) =>
  createClient({ fetch: async () => reply(), credentials: 'omit', headers: () => ({}) });
const readRun = (reply: () => Response) =>
  clientOn(reply).call(flow.read, { params: { session_id: 'vs_1' } });

test.each([
  ['a page with status 200', page],
  ['a redirect', redirect],
  ['status 511', () => new Response('', { status: 511 })],
])('%s in place of an answer is a network that wants a sign-in', async (_kind, reply) => {
  await expect(readRun(reply)).rejects.toMatchObject({ code: 'portal', status: 0 });
});

test('neither an answer of the server nor a proxy’s error page is such a network', async () => {
  await expect(readRun(() => answer({ state: 'open' }))).resolves.toEqual({ state: 'open' });
  const broken = new Response('<html>Bad gateway</html>', {
    status: 502,
    headers: { 'content-type': 'text/html' },
  });
  expect(isPortal(broken)).toBe(false);
});

test('a guest’s page says so, and continues once somebody has signed in', async () => {
  const replies = [page(), page(), answer({ state: 'open' })];
  const reported: (string | null)[] = [];
  const send = retrying({
    fetch: async () => replies.shift() ?? page(),
    pause: async () => undefined,
    report: (reason) => reported.push(reason),
  });
  expect(await (await send('/flow')).json()).toEqual({ state: 'open' });
  expect(reported).toEqual(['portal', 'portal', null]);
});

test('the line to the server is not called cut, because something answers', async () => {
  const line = createLine(async () => page());
  await expect(line.check()).resolves.toBe(true);
});

test('the kiosk and the capture’s files say so', async () => {
  const error: unknown = await readRun(page).catch((thrown: unknown) => thrown);
  expect(kioskRefusalOf(error).code).toBe('portal');
  const signs = { fetch: async () => page(), hasWebAssembly: true, hasWebGl: true };
  const assets = { loaderUrl: 'a', binaryUrl: 'b', modelUrl: 'c' };
  expect(await loadTroubleOf(assets, signs)).toBe('portal');
});

test('the SDK rejects with a reason of its own', async () => {
  vi.stubGlobal('fetch', async () => page());
  onTestFinished(() => void vi.unstubAllGlobals());
  await expect(
    makeSession('https://gatehouse.example', 'pk_1', { origin: 'https://shop.example' }),
  ).rejects.toMatchObject({
    code: 'sign_in_to_network',
  });
});
