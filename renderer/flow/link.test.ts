import { expect, test } from 'vitest';
import { deviceOf } from './routing.ts';
import { otherPageOf, readPageLink, safeReturnUrl, withoutSecrets } from './link.ts';
import { createRunMemory } from './run-memory.ts';

const BASE = 'https://check.example';

test.each([
  ['/verification?vys=vs_1', 'session', 'vs_1'],
  ['/verification', 'session', ''],
  ['/invite/in_1', 'invite', 'in_1'],
  ['/invite/in%201/', 'invite', 'in 1'],
  ['/v/0198-a?vy_embed=1', 'verification', '0198-a'],
  ['/v/100%', 'verification', '100%'],
  ['/connect?session_id=vs_1', 'session', 'vs_1'],
  ['/connect/direct?session_id=vs_1&t=dt_1', 'session', 'vs_1'],
  ['/connect/?vys=vs_1', 'session', ''],
])('%s leads to the %s "%s"', (path, kind, id) => {
  expect(readPageLink(BASE + path).run).toEqual({ kind, id });
});

test('the code of a computer is in the fragment, which is removed once it was used', () => {
  const address = `${BASE}/verification?vys=vs_1#h=abc-_`;
  expect(readPageLink(address).handoffCode).toBe('abc-_');
  expect(readPageLink(withoutSecrets(address)).handoffCode).toBeNull();
});

test('the proof of a direct link is read, and removed once it was used', () => {
  const address = `${BASE}/connect/direct?session_id=vs_1&t=dt_-_1`;
  expect(readPageLink(address).directToken).toBe('dt_-_1');
  expect(withoutSecrets(address)).toBe(`${BASE}/connect/direct?session_id=vs_1`);
  expect(readPageLink(`${BASE}/connect?session_id=vs_1`).directToken).toBeNull();
  expect(readPageLink(`${BASE}/verification?vys=vs_1&t=of-the-organiser`).directToken).toBeNull();
});

test('an embedding page may offer the number and the address', () => {
  const { prefill } = readPageLink(`${BASE}/verification?vys=a&vy_phone=%2B15550100&vy_email=a%40b.example`);
  expect(prefill).toEqual({ phone: '+15550100', email: 'a@b.example' });
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

const refusing = () => {
  throw new DOMException('no storage', 'SecurityError');
};
const storageOf = (kept: Map<string, string>) => () =>
  ({
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }) as Storage;
const withoutStorage = () =>
  createRunMemory({ kind: 'session', id: 'vs_1' }, { storage: refusing, tab: refusing, returns: false });

test('storage that refuses prevents resuming, not the run', () => {
  const memory = withoutStorage();
  memory.keepToken('ft_1');
  expect(memory.token()).toBe('ft_1');
  expect(memory.resumeKey()).toBe(memory.resumeKey());
  expect(memory.lasts()).toBe(false);
  memory.settle('vs_1');
  memory.forget();
  expect(memory.token()).toBeNull();
});

test('a key that the embedding page keeps works without storage', () => {
  const memory = withoutStorage();
  memory.keepResumeKey('of-the-page');
  expect([memory.resumeKey(), memory.lasts()]).toEqual(['of-the-page', true]);
});

const HANDOFF = { branding: { organiser: 'Venue', logo_url: null }, is_test: false, tries_left: 2 };

test('a run is remembered by its link, through a reload, until it is deleted', () => {
  const kept = new Map<string, string>();
  const open = (id: string) =>
    createRunMemory(
      { kind: 'invite', id },
      { storage: storageOf(kept), tab: storageOf(new Map()), returns: false },
    );
  const before = open('a');
  before.keepToken('ft_1');
  before.keepHandoff(HANDOFF);
  const key = before.resumeKey();
  const after = open('a');
  expect(after.lasts()).toBe(true);
  expect([after.token(), after.handoff(), after.resumeKey()]).toEqual(['ft_1', HANDOFF, key]);
  expect([open('b').token(), open('b').handoff()]).toEqual([null, null]);
  after.forget();
  expect(kept.size).toBe(0);
});

test('a result stays in its tab: a reload knows it, a link opened again or in another tab does not', () => {
  const kept = new Map<string, string>();
  const tabs = { own: new Map<string, string>(), other: new Map<string, string>() };
  const open = (tab: keyof typeof tabs, returns: boolean) =>
    createRunMemory(
      { kind: 'verification', id: 'v_1' },
      { storage: storageOf(kept), tab: storageOf(tabs[tab]), returns },
    );
  const before = open('own', false);
  before.keepToken('ft_1');
  before.keepHandoff(HANDOFF);
  before.resumeKey();
  before.settle('vs_1');
  expect(kept.size).toBe(0);

  const reloaded = open('own', true);
  expect([reloaded.settled(), reloaded.token(), reloaded.handoff()]).toEqual(['vs_1', 'ft_1', HANDOFF]);
  reloaded.settle('vs_1');
  expect([open('other', true).settled(), open('other', true).token()]).toEqual([null, null]);

  const again = open('own', false);
  expect([again.settled(), again.token(), again.handoff()]).toEqual([null, null, null]);
  expect(tabs.own.size).toBe(0);
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

test.each([
  ['/my', 'my'],
  ['/my/', 'my'],
  ['/scan', 'scan'],
  ['/t/0197f6c2', 'ticket'],
  ['/verification', undefined],
  ['/invite/my', undefined],
] as const)('%s leads to the page %s beside the check', (path, name) => {
  expect(otherPageOf(path)).toBe(name);
});
