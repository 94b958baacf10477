import { expect, test, vi } from 'vitest';
import type { Landmarker } from './landmarker.ts';
import { createLandmarkers } from './landmarkers.ts';

const made = (ready: Promise<void> = Promise.resolve()) =>
  ({ ready, close: vi.fn() }) as unknown as Landmarker;

test('a person keeps their landmarker; the next person gets another, and the old one is closed', () => {
  const landmarkers = createLandmarkers({ create: () => made(), download: () => made() });
  const first = landmarkers.get();
  expect(landmarkers.get()).toBe(first);
  landmarkers.renew();
  expect(first.close).toHaveBeenCalledOnce();
  expect(landmarkers.get()).not.toBe(first);
});

test('one that could not be loaded is downloaded again; afterwards the cache is used', async () => {
  const [failed, downloaded, cached] = [made(Promise.reject(new Error('offline'))), made(), made()];
  const download = vi.fn(() => downloaded).mockReturnValueOnce(failed);
  const landmarkers = createLandmarkers({ create: () => cached, download });
  await expect(landmarkers.get().ready).rejects.toThrow('offline');
  expect(landmarkers.get()).toBe(downloaded);
  await downloaded.ready;
  landmarkers.renew();
  expect(landmarkers.get()).toBe(cached);
});
