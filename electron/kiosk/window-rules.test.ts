import { expect, test } from 'vitest';
import { isFocusTakenBack, isKeyHeard, isKioskPermissionAllowed, nextPage } from './window-rules.ts';
import { statusPage } from '../status-page.ts';
import type { ServerState } from '../service/supervisor.ts';

const plain = { control: false, alt: false, meta: false };

test.each([
  ['the kiosk is alone', [], true],
  ['the console is behind it', [1], true],
  ['the console is on another screen', [2], false],
] as const)('if %s, it takes the keyboard back: %o → %s', (_where, others, isTakenBack) => {
  expect(isFocusTakenBack(1, others)).toBe(isTakenBack);
});

test.each(['a', '7', '+', 'é', ' ', 'Tab', 'Enter', 'Backspace', 'ArrowUp'])(
  '%s is passed to the page',
  (key) => {
    expect(isKeyHeard({ ...plain, key })).toBe(true);
  },
);

test.each(['F1', 'F5', 'F11', 'F12', 'PrintScreen', 'ContextMenu', 'BrowserBack', 'Meta', 'Alt', 'Control'])(
  '%s is not',
  (key) => {
    expect(isKeyHeard({ ...plain, key })).toBe(false);
  },
);

test.each([
  { key: 'w', control: true },
  { key: 'i', control: true },
  { key: 'F4', alt: true },
  { key: 'Tab', alt: true },
  { key: 'q', meta: true },
  { key: 'Tab', control: true },
  { key: 'Escape', control: true },
  { key: 't', control: true, alt: true },
  { key: 'Delete', control: true, alt: true },
])('shortcuts are blocked: %j', (input) => {
  expect(isKeyHeard({ ...plain, ...input })).toBe(false);
});

test('characters typed with AltGr are passed to the page', () => {
  expect(isKeyHeard({ key: '@', control: true, alt: true, meta: false })).toBe(true);
});

const origin = 'http://127.0.0.1:1';
const camera = { permission: 'media', url: `${origin}/kiosk`, media: ['video'] };

test('the kiosk’s own page may use the camera', () => {
  expect(isKioskPermissionAllowed(camera, origin)).toBe(true);
});

test.each([
  { ...camera, media: ['video', 'audio'] },
  { ...camera, media: ['audio'] },
  { ...camera, media: [] },
  { ...camera, media: [undefined] },
  { ...camera, url: 'https://elsewhere.example/kiosk' },
  { ...camera, url: 'not an address' },
  { ...camera, permission: 'geolocation' },
  { ...camera, permission: 'fullscreen' },
])('nothing else is allowed: %j', (asked) => {
  expect(isKioskPermissionAllowed(asked, origin)).toBe(false);
});

test('nothing is allowed without a server', () => {
  expect(isKioskPermissionAllowed(camera, null)).toBe(false);
});

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
