import { beforeEach, expect, test, vi } from 'vitest';

/** As in a page that has just opened. */
let { expectHungParts, loadAhead, loadPart, unlessHung } = await import('./load-part.ts');
beforeEach(async () => {
  vi.resetModules();
  ({ expectHungParts, loadAhead, loadPart, unlessHung } = await import('./load-part.ts'));
});

/** A file that loads at the given try. */
const loadsAt = (lastTry: number) => {
  let tries = 0;
  return {
    tries: () => tries,
    load: () => ((tries += 1) < lastTry ? Promise.reject(new Error('not loaded')) : Promise.resolve('part')),
  };
};

test('a part is loaded however long the server is away, with pauses of 1 s that grow to 15 s', async () => {
  const file = loadsAt(8);
  const pausesMs: number[] = [];
  const tools = {
    isServerThere: () => Promise.resolve(false),
    pause: (ms: number) => Promise.resolve(void pausesMs.push(ms)),
    reload: () => expect.fail('reloaded'),
  };
  await expect(loadPart(file.load, tools)).resolves.toBe('part');
  expect(pausesMs).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
});

test('a part that a server does not have any more is given up after three tries', async () => {
  const file = loadsAt(9);
  const tools = {
    isServerThere: () => Promise.resolve(true),
    pause: () => Promise.resolve(),
    reload: () => expect.fail('reloaded'),
  };
  await expect(loadPart(file.load, tools)).rejects.toThrow('not loaded');
  expect(file.tries()).toBe(3);
});

test('a part that hangs while the server answers reloads the page: after 30 s, and 2 s once the wire was cut', async () => {
  vi.useFakeTimers();
  const reload = vi.fn();
  let isThere = false;
  const tools = {
    isServerThere: () => Promise.resolve(isThere),
    pause: () => Promise.resolve(),
    reload,
  };
  const ends: (() => void)[] = [];
  const hangs = () => new Promise<string>((resolve) => ends.push(() => resolve('part')));
  const first = loadPart(hangs, tools);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reload).not.toHaveBeenCalled();
  isThere = true;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(reload).toHaveBeenCalledTimes(1);
  ends[0]?.();
  await first;

  const second = loadPart(hangs, tools);
  expectHungParts();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(reload).toHaveBeenCalledTimes(2);
  ends[1]?.();
  await second;
  // Kept-alive connections may be dead long after the cut.
  const third = loadPart(hangs, tools);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(reload).toHaveBeenCalledTimes(3);
  ends[2]?.();
  await third;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reload).toHaveBeenCalledTimes(3);
  vi.useRealTimers();
});

test('parts are loaded ahead one after the other, also after one that failed', async () => {
  const asked: string[] = [];
  let fail = () => {};
  const first = loadAhead(() => new Promise((_, reject) => (fail = () => reject(new Error('gone')))));
  const second = loadAhead(() => Promise.resolve(asked.push('second')));
  await Promise.resolve();
  expect(asked).toEqual([]);
  fail();
  await expect(first).rejects.toThrow('gone');
  await second;
  expect(asked).toEqual(['second']);
});

test('a part that a cut wire has cost, and that does not load again, reloads the page', async () => {
  expectHungParts();
  const reload = vi.fn();
  const tools = { isServerThere: () => Promise.resolve(true), pause: () => Promise.resolve(), reload };
  await expect(loadPart(loadsAt(9).load, tools)).rejects.toThrow('not loaded');
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a part that hangs and is no longer awaited does not reload the page', async () => {
  vi.useFakeTimers();
  const reload = vi.fn();
  const tools = { isServerThere: () => Promise.resolve(true), pause: () => Promise.resolve(), reload };
  const left = new AbortController();
  void unlessHung(() => new Promise(() => undefined), tools, left.signal);
  await vi.advanceTimersByTimeAsync(20_000);
  left.abort();
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  expect(reload).not.toHaveBeenCalled();
});
