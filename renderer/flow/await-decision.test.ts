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
const ask = vi.fn<() => Promise<void>>();
const asksIn = async (ms: number): Promise<number> => {
  ask.mockClear();
  await vi.advanceTimersByTimeAsync(ms);
  return ask.mock.calls.length;
};
beforeEach(() => {
  vi.useFakeTimers();
  ask.mockReset().mockResolvedValue();
  page = new FakePage();
  stop = new AbortController();
});
afterEach(() => {
  stop.abort();
  vi.useRealTimers();
});
const start = () => awaitDecision(ask, stop.signal, page);

test('asks every 5 s for two minutes, then every 30 s, and no longer than an hour', async () => {
  start();
  expect(await asksIn(2 * MINUTE_MS)).toBe(24);
  expect(await asksIn(10 * MINUTE_MS)).toBe(20);
  expect(await asksIn(48 * MINUTE_MS)).toBe(96);
  expect(await asksIn(24 * 60 * MINUTE_MS)).toBe(0);
});

test('a hidden page does not ask; it asks as soon as it is seen, and often again', async () => {
  start();
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
  page.show('hidden');
  expect(await asksIn(60 * MINUTE_MS)).toBe(0);
  page.show('visible');
  expect(ask).toHaveBeenCalledOnce();
  expect(await asksIn(MINUTE_MS)).toBe(12);
});

test('a page that starts hidden waits until it is seen', async () => {
  page.visibilityState = 'hidden';
  start();
  expect(await asksIn(MINUTE_MS)).toBe(0);
  page.show('visible');
  expect(ask).toHaveBeenCalledOnce();
});

test('nothing is asked after the end', async () => {
  start();
  stop.abort();
  page.show('visible');
  expect(await asksIn(MINUTE_MS)).toBe(0);
  start();
  expect(await asksIn(MINUTE_MS)).toBe(0);
});

test('a call that takes long is not repeated meanwhile', async () => {
  let end = () => {};
  ask.mockReturnValueOnce(
    new Promise((resolve) => {
      end = resolve;
    }),
  );
  start();
  expect(await asksIn(MINUTE_MS)).toBe(1);
  end();
  expect(await asksIn(MINUTE_MS)).toBe(12);
});
