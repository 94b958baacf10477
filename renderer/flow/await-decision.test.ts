import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { awaitDecision } from './await-decision.ts';

const MINUTE_MS = 60_000;

class FakePage extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible';
  show(state: DocumentVisibilityState) {
    this.visibilityState = state;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

let page: FakePage;
let stop: AbortController;
const look = vi.fn<() => Promise<void>>();
let followed: AbortSignal[];
const looksIn = async (ms: number): Promise<number> => {
  look.mockClear();
  await vi.advanceTimersByTimeAsync(ms);
  return look.mock.calls.length;
};
const isFollowing = () => followed.some((signal) => !signal.aborted);
beforeEach(() => {
  vi.useFakeTimers();
  look.mockReset().mockResolvedValue();
  followed = [];
  page = new FakePage();
  stop = new AbortController();
});
afterEach(() => {
  stop.abort();
  vi.useRealTimers();
});
const follow = async (signal: AbortSignal) => {
  followed.push(signal);
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
};
const start = () => awaitDecision({ follow, look }, stop.signal, page);

test('follows the run, looks every 30 s, and no longer than an hour', async () => {
  start();
  expect(isFollowing()).toBe(true);
  expect(await looksIn(10 * MINUTE_MS)).toBe(20);
  expect(isFollowing()).toBe(true);
  await vi.advanceTimersByTimeAsync(50 * MINUTE_MS);
  expect(isFollowing()).toBe(false);
  expect(await looksIn(24 * 60 * MINUTE_MS)).toBe(0);
});

test('a hidden page does not follow; it follows again as soon as it is seen', async () => {
  start();
  page.show('hidden');
  expect(isFollowing()).toBe(false);
  expect(await looksIn(60 * MINUTE_MS)).toBe(0);
  page.show('visible');
  expect(isFollowing()).toBe(true);
  expect(followed).toHaveLength(2);
});

test('a page that starts hidden waits until it is seen', async () => {
  page.visibilityState = 'hidden';
  start();
  expect(followed).toEqual([]);
  expect(await looksIn(MINUTE_MS)).toBe(0);
  page.show('visible');
  expect(isFollowing()).toBe(true);
});

test('nothing is asked after the end', async () => {
  start();
  stop.abort();
  expect(isFollowing()).toBe(false);
  page.show('visible');
  expect(await looksIn(MINUTE_MS)).toBe(0);
  start();
  expect(isFollowing()).toBe(false);
});

test('a look that takes long is not repeated meanwhile', async () => {
  let end = () => {};
  look.mockReturnValueOnce(
    new Promise((resolve) => {
      end = resolve;
    }),
  );
  start();
  expect(await looksIn(5 * MINUTE_MS)).toBe(1);
  end();
  expect(await looksIn(MINUTE_MS)).toBe(2);
});
