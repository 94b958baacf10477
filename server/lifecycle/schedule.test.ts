import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { repeat } from '../services/ports/turns.ts';
import { everyNight } from './schedule.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-05-01T12:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const clock = { now: () => Date.now() };
const HOUR_MS = 3_600_000;

test('runs at start-up, to catch up after time off, and once each night', async () => {
  const work = vi.fn(async () => undefined);
  const { stop } = everyNight(clock, work, () => undefined);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(24 * HOUR_MS);
  expect(work).toHaveBeenCalledTimes(2);
  stop();
  await vi.advanceTimersByTimeAsync(48 * HOUR_MS);
  expect(work).toHaveBeenCalledTimes(2);
});

test('a failure is reported and retried after a while', async () => {
  const work = vi.fn(async () => undefined).mockRejectedValueOnce(new Error('full'));
  const onError = vi.fn();
  const { stop } = everyNight(clock, work, onError);
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(onError).toHaveBeenCalledOnce();
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(work).toHaveBeenCalledTimes(2);
  stop();
});

test('an interruption by the end of the service is no failure', async () => {
  const cutOff = Promise.withResolvers<undefined>();
  const onError = vi.fn();
  const { stop } = everyNight(clock, () => cutOff.promise, onError);
  stop();
  cutOff.reject(new Error('The database is closed.'));
  await vi.advanceTimersByTimeAsync(1);
  expect(onError).not.toHaveBeenCalled();
});

test.each([
  ['each night', (work: () => Promise<void>, onError: () => void) => everyNight(clock, work, onError)],
  ['repeatedly', (work: () => Promise<void>, onError: () => void) => repeat(HOUR_MS, work, onError)],
])(
  'work that runs %s begins no further turn once it was stopped, and its end is awaited',
  async (_, begin) => {
    const current = Promise.withResolvers<undefined>();
    const work = vi.fn(() => current.promise.then(() => undefined));
    const onError = vi.fn();
    const repeating = begin(work, onError);
    repeating.stop();
    let hasEnded = false;
    const closing = repeating.close().then(() => (hasEnded = true));
    await vi.advanceTimersByTimeAsync(48 * HOUR_MS);
    expect([work.mock.calls.length, hasEnded]).toEqual([1, false]);
    current.reject(new Error('The database is closed.'));
    await closing;
    await vi.advanceTimersByTimeAsync(48 * HOUR_MS);
    expect(work).toHaveBeenCalledTimes(1);
    expect(onError).not.toHaveBeenCalled();
  },
);
