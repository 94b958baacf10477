import { expect, it } from 'vitest';
import { isPermissionAllowed } from './permissions.ts';

const ADDRESSES = { baseUrl: 'http://a:1', connectUrl: 'http://a:1', consoleUrl: 'http://a:2' };

it('the console may copy', () => {
  expect(isPermissionAllowed('clipboard-sanitized-write', 'http://a:2/keys', ADDRESSES)).toBe(true);
});

it.each(['media', 'geolocation', 'notifications', 'clipboard-read', 'openExternal', 'usb', 'unknown'])(
  'the console is refused %s',
  (permission) => {
    expect(isPermissionAllowed(permission, 'http://a:2/', ADDRESSES)).toBe(false);
  },
);

it.each(['http://a:1/', 'https://a:2/', 'file:///', '', 'null'])('a page of %j may do nothing', (origin) => {
  expect(isPermissionAllowed('clipboard-sanitized-write', origin, ADDRESSES)).toBe(false);
});

it('nobody may do anything before the server is ready', () => {
  expect(isPermissionAllowed('clipboard-sanitized-write', 'http://a:2/', null)).toBe(false);
});
