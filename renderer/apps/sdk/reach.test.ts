import { afterEach, expect, test, vi } from 'vitest';
import { isKeptFrom, isLocal, isMixed, whyBlank } from './reach.ts';

afterEach(() => vi.unstubAllGlobals());

const VENUE = 'http://192.168.1.20:8080';
const PUBLIC = 'https://verify.example';

/** @param states of the permissions by name; a name without one does not exist, as in other browsers */
function browserWith(states: Record<string, string>, page = 'http://shop.example') {
  vi.stubGlobal('location', new URL(page));
  const query = async ({ name }: { name: string }) => {
    if (states[name] === undefined) throw new TypeError(name);
    return { state: states[name] };
  };
  vi.stubGlobal('navigator', { permissions: { query } });
}
const answering = (reply: () => Promise<Response>) => {
  const fetchMock = vi.fn<typeof fetch>(reply);
  vi.stubGlobal('fetch', fetchMock);
  return fetchMock;
};
const failing = () => answering(() => Promise.reject(new TypeError('Failed to fetch')));

test.each([
  ['http://localhost:8080', true],
  ['https://gate.local', true],
  ['https://gatehouse', true],
  ['http://10.0.0.4', true],
  ['http://172.20.1.1', true],
  ['http://172.32.1.1', false],
  ['http://100.64.0.9', true],
  ['http://[fd00::1]:8080', true],
  ['http://[2001:db8::1]', false],
  ['https://10.example.org', false],
  ['https://verify.example', false],
])('%s shows that it is local: %s', (base, is) => {
  expect(isLocal(base)).toBe(is);
});

test('a page with https may not show a frame of http, except of its own machine', () => {
  browserWith({}, 'https://shop.example');
  expect([VENUE, 'http://127.0.0.1:1', 'http://localhost:1', PUBLIC].map(isMixed)).toEqual([
    true,
    false,
    false,
    false,
  ]);
  browserWith({});
  expect(isMixed(VENUE)).toBe(false);
});

test.each([
  [{ 'local-network': 'denied' }, PUBLIC, true],
  [
    { 'local-network': 'granted', 'loopback-network': 'denied', 'local-network-access': 'denied' },
    VENUE,
    true,
  ],
  [{ 'local-network-access': 'prompt' }, VENUE, true],
  [{ 'local-network-access': 'prompt' }, PUBLIC, false],
  [{ 'local-network': 'granted', 'loopback-network': 'granted' }, VENUE, false],
  [{}, VENUE, false],
])('with %j, the browser kept the page from a silent %s: %s', async (states, base, is) => {
  browserWith(states);
  expect(await isKeptFrom(base)).toBe(is);
});

test('of a page that is local itself, the person is never asked', async () => {
  browserWith({ 'local-network-access': 'prompt' }, 'http://192.168.1.30');
  expect(await isKeptFrom(VENUE)).toBe(false);
});

test('a blank frame of a service that answers is blocked by the page; of one that does not, kept or unreachable', async () => {
  browserWith({ 'local-network-access': 'prompt' });
  answering(async () => new Response(null));
  expect(await whyBlank(VENUE)).toBe('blocked');
  failing();
  expect(await whyBlank(VENUE)).toBe('kept');
  expect(await whyBlank(PUBLIC)).toBe('unreachable');
  browserWith({}, 'https://shop.example');
  const asked = failing();
  expect(await whyBlank(VENUE)).toBe('kept');
  expect(asked).not.toHaveBeenCalled();
});
