import { expect, it } from 'vitest';
import { destinationOf, isConsole, RETRY_URL, isSenderAllowed, isPermissionAllowed } from './addresses.ts';

const ADDRESSES = {
  baseUrl: 'https://verify.example.org',
  connectUrl: 'http://127.0.0.1:4180',
  consoleUrl: 'http://127.0.0.1:4181',
};

it.each([
  ['http://127.0.0.1:4181/reviews?state=open', 'here'],
  ['https://verify.example.org/verification?vys=vs_1', 'browser'],
  ['http://127.0.0.1:4180/verification?vys=vs_1', 'browser'],
  ['http://127.0.0.1:4180/kiosk#code=ABCD-EFGH', 'kiosk'],
  ['http://127.0.0.1:4180/kiosk', 'browser'],
  ['http://127.0.0.1:4182/kiosk#code=ABCD-EFGH', 'refused'],
  [RETRY_URL, 'retry'],
  ['http://127.0.0.1:4182/', 'refused'],
  ['http://127.0.0.1:4181.example.org/', 'refused'],
  ['http://127.0.0.1:4181@example.org/', 'refused'],
  ['https://127.0.0.1:4181/', 'refused'],
  ['file:///etc/passwd', 'refused'],
  ['javascript:alert(1)', 'refused'],
  ['data:text/html,hello', 'refused'],
  ['not an address', 'refused'],
])('%s is %s', (url, destination) => {
  expect(destinationOf(url, ADDRESSES)).toBe(destination);
});

it('without a server, only the retry link works', () => {
  expect(destinationOf(ADDRESSES.consoleUrl, null)).toBe('refused');
  expect(destinationOf(RETRY_URL, null)).toBe('retry');
});

it('only the console’s own address is the console, including content it created in memory', () => {
  expect(isConsole('http://127.0.0.1:4181/audit', ADDRESSES)).toBe(true);
  expect(isConsole('blob:http://127.0.0.1:4181/6f1c', ADDRESSES)).toBe(true);
  expect(isConsole('http://127.0.0.1:4180/', ADDRESSES)).toBe(false);
  expect(isConsole('data:text/csv,1', ADDRESSES)).toBe(false);
  expect(isConsole('http://127.0.0.1:4181/', null)).toBe(false);
});

const AT_A = { baseUrl: 'http://a:1', connectUrl: 'http://a:1', consoleUrl: 'http://a:2' };

it('the console may talk to the shell', () => {
  expect(isSenderAllowed({ url: 'http://a:2/settings', isTopFrame: true }, AT_A)).toBe(true);
});

it.each([
  ['a frame inside it', { url: 'http://a:2/', isTopFrame: false }],
  ['a hosted page', { url: 'http://a:1/verification', isTopFrame: true }],
  ['the page that says that the server is starting', { url: 'data:text/html,x', isTopFrame: true }],
  ['another site', { url: 'https://example.org/', isTopFrame: true }],
  ['a frame that is gone', null],
])('%s may not', (_name, sender) => {
  expect(isSenderAllowed(sender, AT_A)).toBe(false);
});

it('no page may without a server', () => {
  expect(isSenderAllowed({ url: 'http://a:2/', isTopFrame: true }, null)).toBe(false);
});

it('the console may copy', () => {
  expect(isPermissionAllowed('clipboard-sanitized-write', 'http://a:2/keys', AT_A)).toBe(true);
});

it.each(['media', 'geolocation', 'notifications', 'clipboard-read', 'openExternal', 'usb', 'unknown'])(
  'the console is refused %s',
  (permission) => {
    expect(isPermissionAllowed(permission, 'http://a:2/', AT_A)).toBe(false);
  },
);

it.each(['http://a:1/', 'https://a:2/', 'file:///', '', 'null'])(
  'a page of %j has no permissions',
  (origin) => {
    expect(isPermissionAllowed('clipboard-sanitized-write', origin, AT_A)).toBe(false);
  },
);

it('no page has permissions before the server is ready', () => {
  expect(isPermissionAllowed('clipboard-sanitized-write', 'http://a:2/', null)).toBe(false);
});
