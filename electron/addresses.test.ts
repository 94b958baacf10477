import { expect, it } from 'vitest';
import { destinationOf, isConsole, RETRY_URL } from './addresses.ts';

const ADDRESSES = {
  baseUrl: 'https://verify.example.org',
  connectUrl: 'http://127.0.0.1:4180',
  consoleUrl: 'http://127.0.0.1:4181',
};

it.each([
  ['http://127.0.0.1:4181/reviews?state=open', 'here'],
  ['https://verify.example.org/verification?vys=vs_1', 'browser'],
  ['http://127.0.0.1:4180/verification?vys=vs_1', 'browser'],
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

it('nothing but a retry leads anywhere while there is no server', () => {
  expect(destinationOf(ADDRESSES.consoleUrl, null)).toBe('refused');
  expect(destinationOf(RETRY_URL, null)).toBe('retry');
});

it('only the console’s own address is the console, also for what it made in memory', () => {
  expect(isConsole('http://127.0.0.1:4181/audit', ADDRESSES)).toBe(true);
  expect(isConsole('blob:http://127.0.0.1:4181/6f1c', ADDRESSES)).toBe(true);
  expect(isConsole('http://127.0.0.1:4180/', ADDRESSES)).toBe(false);
  expect(isConsole('data:text/csv,1', ADDRESSES)).toBe(false);
  expect(isConsole('http://127.0.0.1:4181/', null)).toBe(false);
});
