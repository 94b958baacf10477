import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLifecycle } from './lifecycle.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function started() {
  const logger = { warn: vi.fn(), error: vi.fn() };
  const stopped: string[] = [];
  return { lifecycle: createLifecycle(logger), logger, stopped };
}

it('parts are stopped one after the other, in reverse order of their start', async () => {
  const { lifecycle, logger, stopped } = started();
  for (const name of ['store', 'listeners']) {
    lifecycle.onStop(name, 1_000, async () => {
      stopped.push(`${name} stopping`);
      await Promise.resolve();
      stopped.push(`${name} stopped`);
    });
  }
  await lifecycle.close();
  expect(stopped).toEqual(['listeners stopping', 'listeners stopped', 'store stopping', 'store stopped']);
  expect(logger.warn).not.toHaveBeenCalled();
});

it('a part that stops last stops after those that were started before it', async () => {
  const { lifecycle, stopped } = started();
  lifecycle.onStop('store', 1_000, () => stopped.push('store'));
  lifecycle.onStopLast('thread', 1_000, () => stopped.push('thread'));
  lifecycle.onStop('listeners', 1_000, () => stopped.push('listeners'));
  await lifecycle.close();
  expect(stopped).toEqual(['listeners', 'store', 'thread']);
});

it('a part that exceeds its limit, counted from the start of the shutdown, is logged and skipped', async () => {
  const { lifecycle, logger, stopped } = started();
  lifecycle.onStop('the store', 2_000, () => stopped.push('store'));
  lifecycle.onStop('a thread', 1_500, () => new Promise(() => undefined));
  lifecycle.onStop('a request', 1_000, () => new Promise(() => undefined));
  const closed = lifecycle.close();
  await vi.advanceTimersByTimeAsync(1_499);
  expect(stopped).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await closed;
  expect(stopped).toEqual(['store']);
  expect(logger.warn.mock.calls).toEqual([
    ['a request was still running when the service stopped'],
    ['a thread was still running when the service stopped'],
  ]);
});

it('a part that fails to stop is logged, the others are stopped, and the failure is reported at the end', async () => {
  const { lifecycle, logger, stopped } = started();
  lifecycle.onStop('the store', 1_000, () => stopped.push('store'));
  lifecycle.onStop('the clock', 1_000, () => Promise.reject(new Error('disk full')));
  lifecycle.onStop('the listeners', 1_000, () => {
    throw new Error('not listening');
  });
  await expect(lifecycle.close()).rejects.toThrow('not listening');
  expect(stopped).toEqual(['store']);
  expect(logger.error.mock.calls.map(([, message]) => message as string)).toEqual([
    'the listeners could not be stopped',
    'the clock could not be stopped',
  ]);
});

it('closing twice stops each part once', async () => {
  const { lifecycle, stopped } = started();
  lifecycle.onStop('the store', 1_000, () => stopped.push('store'));
  await Promise.all([lifecycle.close(), lifecycle.close()]);
  await lifecycle.close();
  expect(stopped).toEqual(['store']);
});
