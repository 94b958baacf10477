import { expect, test } from 'vitest';
import { statusPage } from '../status-page.ts';
import type { ServerState } from '../supervisor.ts';
import { nextPage } from './next-page.ts';

const ORIGIN = 'http://127.0.0.1:4180';
const PAGE = `${ORIGIN}/kiosk`;
const ready: ServerState = {
  kind: 'ready',
  addresses: { baseUrl: ORIGIN, connectUrl: ORIGIN, consoleUrl: 'http://127.0.0.1:4181' },
};
const away: ServerState = { kind: 'restarting', reason: null, retryInMs: 1_000 };
const there = { origin: ORIGIN, state: ready, language: 'en' } as const;
const gone = { origin: null, state: away, language: 'en' } as const;

test('the kiosk’s page is loaded once, and again if its address has changed', () => {
  expect(nextPage({ ...there, shown: '', isGone: false })).toBe(PAGE);
  expect(nextPage({ ...there, shown: PAGE, isGone: false })).toBeNull();
  expect(nextPage({ ...there, shown: 'http://127.0.0.1:9/kiosk', isGone: false })).toBe(PAGE);
});

test('it stays while its server is away, and reports that itself', () => {
  expect(nextPage({ ...gone, shown: PAGE, isGone: false })).toBeNull();
});

test('one that is gone is reloaded, even if its server is away at that moment', () => {
  expect(nextPage({ ...there, shown: PAGE, isGone: true })).toBe(PAGE);
  const meanwhile = nextPage({ ...gone, shown: PAGE, isGone: true }) ?? '';
  expect(meanwhile).toBe(statusPage(away, 'en'));
  expect(nextPage({ ...there, shown: meanwhile, isGone: false })).toBe(PAGE);
});
