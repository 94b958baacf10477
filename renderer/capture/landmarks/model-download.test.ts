import { afterEach, expect, test, vi } from 'vitest';
import type { Landmarker } from './landmarker.ts';
import { createDownloadedLandmarker } from './model-download.ts';

const ASSETS = { loaderUrl: '/loader', binaryUrl: '/binary', modelUrl: '/model' };
const LANDMARKER: Landmarker = {
  ready: Promise.resolve(),
  look: vi.fn<Landmarker['look']>(),
  encode: vi.fn<Landmarker['encode']>(),
  forget: vi.fn<Landmarker['forget']>(),
  close: vi.fn<Landmarker['close']>(),
};

afterEach(() => vi.unstubAllGlobals());

test('the landmarker starts when its files are loaded, and reports the progress until then', async () => {
  let send: (bytes: number) => void = () => undefined;
  let end: () => void = () => undefined;
  vi.stubGlobal('fetch', async (url: string) => {
    if (url === '/binary') return new Response(new Uint8Array(100), { headers: { 'content-length': '100' } });
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = (bytes) => controller.enqueue(new Uint8Array(bytes));
        end = () => controller.close();
      },
    });
    return new Response(body, { headers: { 'content-length': '1000' } });
  });
  const create = vi.fn(() => LANDMARKER);
  const { ready, loaded } = createDownloadedLandmarker(ASSETS, create);
  await expect.poll(() => loaded?.()).toBe(0.5);
  send(500);
  await expect.poll(() => loaded?.()).toBe(0.75);
  expect(create).not.toHaveBeenCalled();
  end();
  await ready;
  expect(create).toHaveBeenCalledOnce();
});

test('the landmarker reports files that cannot be fetched', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('offline')));
  const create = () => ({ ...LANDMARKER, ready: Promise.reject(new Error('no connection')) });
  await expect(createDownloadedLandmarker(ASSETS, create).ready).rejects.toThrow('no connection');
});
