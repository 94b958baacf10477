/** A server that stops waits for captures, but not for ever: what is left is refused, and its threads end by themselves. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CAPTURES_MAY_TAKE_MS, createShutdown, ENGINE_MAY_TAKE_MS, OTHERS_MAY_TAKE_MS } from './shutdown.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** An engine of which threads end when the test says so. */
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

it('requests that end in time are waited for, and the engine is theirs until then', async () => {
  const { close, threadsEnd } = engineAtWork();
  const ending = createShutdown({ close });
  const requests = Promise.withResolvers<undefined>();
  const ended = ending.requests(requests.promise);
  await vi.advanceTimersByTimeAsync(CAPTURES_MAY_TAKE_MS - 1);
  requests.resolve(undefined);
  await ended;
  await vi.advanceTimersByTimeAsync(CAPTURES_MAY_TAKE_MS);
  expect(close).not.toHaveBeenCalled();
  threadsEnd();
  expect(await ending.engine()).toBe(true);
  expect(close).toHaveBeenCalledOnce();
});

it('captures that take longer are refused by closing the engine, once', async () => {
  const { close, threadsEnd } = engineAtWork();
  const ending = createShutdown({ close });
  const requests = Promise.withResolvers<undefined>();
  const ended = ending.requests(requests.promise);
  await vi.advanceTimersByTimeAsync(CAPTURES_MAY_TAKE_MS);
  expect(close).toHaveBeenCalledOnce();
  requests.resolve(undefined);
  await ended;
  const engine = ending.engine();
  expect(await settledNow(engine)).toBe(false);
  threadsEnd();
  await engine;
  expect(close).toHaveBeenCalledOnce();
});

it('a thread that never ends is given up, and told of', async () => {
  const { close } = engineAtWork();
  const ending = createShutdown({ close });
  await ending.requests(Promise.resolve());
  const engine = ending.engine();
  await vi.advanceTimersByTimeAsync(ENGINE_MAY_TAKE_MS - 1);
  expect(await settledNow(engine)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await engine).toBe(false);
});

it('a backup that takes long is left, and told of; what ends in time is waited for', async () => {
  const ending = createShutdown(engineAtWork());
  expect(await ending.others(Promise.resolve())).toBe(true);
  const backup = ending.others(new Promise(() => undefined));
  await vi.advanceTimersByTimeAsync(OTHERS_MAY_TAKE_MS - 1);
  expect(await settledNow(backup)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await backup).toBe(false);
});
