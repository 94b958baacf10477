/** A stopping server waits for captures, but not for ever: the engine refuses the rest. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CAPTURES_MAY_TAKE_MS, createEngineEnd } from './shutdown.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** An engine whose threads end when the test tells them to. */
function engineAtWork() {
  const threads = Promise.withResolvers<undefined>();
  const close = vi.fn<() => Promise<void>>(() => threads.promise);
  return { close, threadsEnd: () => threads.resolve(undefined) };
}

const settledNow = async (work: Promise<unknown>): Promise<boolean> => {
  let isSettled = false;
  void work.then(() => (isSettled = true));
  await vi.advanceTimersByTimeAsync(0);
  return isSettled;
};

it('requests that end in time are waited for, and keep the engine until then', async () => {
  const { close, threadsEnd } = engineAtWork();
  const ending = createEngineEnd({ close });
  const requests = Promise.withResolvers<undefined>();
  const ended = ending.requests(requests.promise);
  await vi.advanceTimersByTimeAsync(CAPTURES_MAY_TAKE_MS - 1);
  requests.resolve(undefined);
  await ended;
  await vi.advanceTimersByTimeAsync(CAPTURES_MAY_TAKE_MS);
  expect(close).not.toHaveBeenCalled();
  threadsEnd();
  await ending.threads();
  expect(close).toHaveBeenCalledOnce();
});

it('captures that take longer are refused by closing the engine, once', async () => {
  const { close, threadsEnd } = engineAtWork();
  const ending = createEngineEnd({ close });
  const requests = Promise.withResolvers<undefined>();
  const ended = ending.requests(requests.promise);
  await vi.advanceTimersByTimeAsync(CAPTURES_MAY_TAKE_MS);
  expect(close).toHaveBeenCalledOnce();
  requests.resolve(undefined);
  await ended;
  const engine = ending.threads();
  expect(await settledNow(engine)).toBe(false);
  threadsEnd();
  await engine;
  expect(close).toHaveBeenCalledOnce();
});
