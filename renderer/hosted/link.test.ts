import { expect, test } from 'vitest';
import { deviceOf } from './device.ts';
import { phoneLink, readHostedLink, safeReturnUrl, withoutFragment } from './link.ts';
import { createTokenStore } from './token-store.ts';

const ADDRESS = 'https://check.example/verification?vys=vs_1';

test('the session is in the query', () => {
  expect(readHostedLink(ADDRESS)).toEqual({ sessionId: 'vs_1', flowToken: null });
  expect(readHostedLink('https://check.example/verification').sessionId).toBeNull();
});

test('the link for the phone carries the flow token in the fragment, and reads back', () => {
  const link = phoneLink(ADDRESS, 'ft_+/=');
  expect(new URL(link).search).toBe('?vys=vs_1');
  expect(readHostedLink(link)).toEqual({ sessionId: 'vs_1', flowToken: 'ft_+/=' });
  expect(withoutFragment(link)).toBe(ADDRESS);
});

test.each([
  ['https://shop.example/done?vyc=1', 'https://shop.example/done?vyc=1'],
  ['http://192.168.1.4/done', 'http://192.168.1.4/done'],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
  ['nonsense', null],
  [null, null],
  [undefined, null],
])('return address %s', (address, safe) => {
  expect(safeReturnUrl(address)).toBe(safe);
});

test('a storage that refuses costs the resuming, not the run', () => {
  const tokens = createTokenStore('vs_1', () => {
    throw new DOMException('no storage', 'SecurityError');
  });
  tokens.write('ft_1');
  expect(tokens.read()).toBe('ft_1');
  tokens.clear();
  expect(tokens.read()).toBeNull();
});

test.each([
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9) Mobile', true, 5, 'mobile'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', true, 5, 'mobile'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', true, 5, 'mobile'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', false, 0, 'desktop'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', false, 10, 'desktop'],
] as const)(
  '%s with pointer %s and %i touch points is %s',
  (userAgent, coarsePointer, touchPoints, device) => {
    expect(deviceOf({ userAgent, coarsePointer, touchPoints })).toBe(device);
  },
);
