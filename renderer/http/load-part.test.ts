import { expect, test } from 'vitest';
import { loadPart } from './load-part.ts';

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
  };
  await expect(loadPart(file.load, tools)).resolves.toBe('part');
  expect(pausesMs).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
});

test('a part that a server does not have any more is given up after three tries', async () => {
  const file = loadsAt(9);
  const tools = { isServerThere: () => Promise.resolve(true), pause: () => Promise.resolve() };
  await expect(loadPart(file.load, tools)).rejects.toThrow('not loaded');
  expect(file.tries()).toBe(3);
});
