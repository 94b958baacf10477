import { expect, it } from 'vitest';
import { isSenderAllowed } from './sender.ts';

const ADDRESSES = { baseUrl: 'http://a:1', connectUrl: 'http://a:1', consoleUrl: 'http://a:2' };

it('the console may talk to the shell', () => {
  expect(isSenderAllowed({ url: 'http://a:2/settings', isTopFrame: true }, ADDRESSES)).toBe(true);
});

it.each([
  ['a frame inside it', { url: 'http://a:2/', isTopFrame: false }],
  ['a hosted page', { url: 'http://a:1/verification', isTopFrame: true }],
  ['the page that says that the server is starting', { url: 'data:text/html,x', isTopFrame: true }],
  ['another site', { url: 'https://example.org/', isTopFrame: true }],
  ['a frame that is gone', null],
])('%s may not', (_name, sender) => {
  expect(isSenderAllowed(sender, ADDRESSES)).toBe(false);
});

it('nobody may while there is no server', () => {
  expect(isSenderAllowed({ url: 'http://a:2/', isTopFrame: true }, null)).toBe(false);
});
