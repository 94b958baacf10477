import { expect, test, vi } from 'vitest';
import type { Landmarker } from '../../capture/landmarker.ts';
import { createLandmarkers } from './landmarkers.ts';

const made = (ready: Promise<void> = Promise.resolve()) =>
  ({ ready, close: vi.fn() }) as unknown as Landmarker;

test('a visit keeps its landmarker; the next has another, and the old one is ended', () => {
  const landmarkers = createLandmarkers(() => made());
  const first = landmarkers.get();
  expect(landmarkers.get()).toBe(first);
  landmarkers.renew();
  expect(first.close).toHaveBeenCalledOnce();
  expect(landmarkers.get()).not.toBe(first);
});

test('one that could not load is made again', async () => {
  const failed = made(Promise.reject(new Error('offline')));
  const working = made();
  const landmarkers = createLandmarkers(vi.fn(() => working).mockReturnValueOnce(failed));
  await expect(landmarkers.get().ready).rejects.toThrow('offline');
  expect(landmarkers.get()).toBe(working);
});
