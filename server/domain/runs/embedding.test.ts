import { expect, test } from 'vitest';
import {
  allowedEmbedders,
  claimedOrigin,
  type EmbedSources,
  frameAncestors,
  isUnaddressable,
  mayEmbed,
  parseEmbedOrigin,
} from './embedding.ts';

const NOWHERE = { redirectUrl: null, origin: null };
const allowed = (sources: Partial<EmbedSources>) =>
  allowedEmbedders({
    partition: 'live',
    request: NOWHERE,
    verification: { ...NOWHERE, embedOrigins: [] },
    ...sources,
  });

test('a live run can be embedded by its return origins and the verification’s further origins', () => {
  const request = { redirectUrl: 'https://asked.example/done?x=1', origin: 'shop.example' };
  const verification = {
    redirectUrl: 'http://127.0.0.1:5000/saved',
    origin: 'https://shop.example',
    embedOrigins: ['https://app.example:8443'],
  };
  expect(allowed({ request, verification })).toEqual([
    'https://asked.example',
    'https://shop.example',
    'http://127.0.0.1:5000',
    'https://app.example:8443',
  ]);
  expect(allowed({ request: null, verification })).not.toContain('https://asked.example');
});

test('a test run can be embedded anywhere, a live one without any origin nowhere', () => {
  // `frame-ancestors *` would leave out files and sandboxed frames.
  expect(frameAncestors(allowed({ partition: 'test' }))).toBeNull();
  expect(mayEmbed(allowed({ partition: 'test' }), 'https://any.example')).toBe(true);
  expect(frameAncestors(allowed({}))).toBe("frame-ancestors 'none'");
});

test.each([
  'https://*.example',
  'https://a;script-src',
  'https://a,b.example',
  "https://'none'.example",
  'https://[::1]:8080',
  'https://null',
  'https://*',
  'https://a.example.',
])('no host adds to the policy or widens it: %s', (origin) => {
  expect(parseEmbedOrigin(origin)).toBeNull();
  const request = { redirectUrl: `${origin}/done`, origin };
  expect(frameAncestors(allowed({ request }))).toBe("frame-ancestors 'none'");
});

test('an origin that an earlier version saved and no page can have is ignored', () => {
  const embedOrigins = ['https://null', 'https://*.t.example', 'https://shop.example'];
  expect(allowed({ verification: { ...NOWHERE, origin: 'https://null', embedOrigins } })).toEqual([
    'https://shop.example',
  ]);
});

test('a further origin is saved in the form that browsers use', () => {
  expect(parseEmbedOrigin('Shop.Example')).toBe('https://shop.example');
  expect(parseEmbedOrigin('http://shop.example')).toBeNull();
  expect(parseEmbedOrigin('https://shop.example/path')).toBeNull();
});

test.each([
  ['https://shop.example', 'https://shop.example'],
  ['https://shop.example:8443', 'https://shop.example:8443'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://app.localhost', 'http://app.localhost'],
  ['http://127.0.0.1:5000', 'http://127.0.0.1:5000'],
  ['http://192.168.1.20', 'http://192.168.1.20'],
  ['http://172.16.0.1', 'http://172.16.0.1'],
  ['http://[::1]:80', null],
  ['http://[::1]:8080', 'http://[::1]:8080'],
  ['http://[fd00::1]', 'http://[fd00::1]'],
  ['http://172.32.0.1', null],
  ['http://shop.example', null],
  ['http://10.evil.example', null],
  ['https://shop.example/', null],
  ['https://shop.example/path', null],
  ['https://user@shop.example', null],
  ['*', null],
  ['null', null],
  ['javascript:alert(1)', null],
  ['file://', null],
  ['', null],
  [null, null],
])('the claimed origin %s is read as %s', (text, origin) => {
  expect(claimedOrigin(text)).toBe(origin);
});

test.each([
  ['null', true],
  ['file://', true],
  ['chrome-extension://abcdefgh', true],
  ['capacitor://localhost', true],
  ['https://shop.example', false],
  ['HTTP://shop.example', false],
  ['shop.example', false],
  ['*', false],
  ['', false],
])('a claimed origin %j that no message can name: %s', (text, is) => {
  expect(isUnaddressable(text)).toBe(is);
});
