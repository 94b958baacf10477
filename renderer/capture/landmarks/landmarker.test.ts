import { afterEach, expect, test, vi } from 'vitest';
import { createLandmarker, visionAssets, type Landmarker } from './landmarker.ts';
import type { FromWorker, ToWorker } from './protocol.ts';

const ASSETS = visionAssets('/assets/hosted/', 'https://check.example');

const made = (ready: Promise<void>) => ({ ready, close: vi.fn(), forget: vi.fn() }) as unknown as Landmarker;

afterEach(() => vi.unstubAllGlobals());

test('the next worker starts with the program that the first one has compiled', async () => {
  const loads: ToWorker[] = [];
  const program = {} as WebAssembly.Module;
  class FakeWorker {
    onmessage: (event: { data: FromWorker }) => void = () => undefined;
    postMessage(message: ToWorker) {
      loads.push(message);
      queueMicrotask(() => this.onmessage({ data: { type: 'ready', program } }));
    }
    terminate() {}
  }
  vi.stubGlobal('Worker', FakeWorker);
  for (let person = 0; person < 2; person += 1) {
    const landmarker = createLandmarker(ASSETS);
    await landmarker.ready;
    landmarker.close();
  }
  expect(loads).toEqual([
    { type: 'load', assets: ASSETS, program: null },
    { type: 'load', assets: ASSETS, program },
  ]);
});

test('if the worker cannot run it, the page does', async () => {
  const worker = made(Promise.reject(new Error('no WebGL')));
  const page = made(Promise.resolve());
  const landmarker = createLandmarker(
    ASSETS,
    () => worker,
    async () => ({ createPageLandmarker: () => page }),
  );
  await landmarker.ready;
  expect(worker.close).toHaveBeenCalledOnce();
  landmarker.forget();
  expect(page.forget).toHaveBeenCalledOnce();
});

test('if neither can, the reason is reported', async () => {
  const landmarker = createLandmarker(
    ASSETS,
    () => made(Promise.reject(new Error('worker'))),
    async () => ({ createPageLandmarker: () => made(Promise.reject(new Error('page'))) }),
    async () => 'blocked',
  );
  await expect(landmarker.ready).rejects.toMatchObject({ trouble: 'blocked', cause: new Error('page') });
});

test('closing it while its worker loads starts nothing in the page', async () => {
  const inPage = vi.fn();
  const landmarker = createLandmarker(ASSETS, () => made(Promise.reject(new Error('closed'))), inPage);
  landmarker.close();
  await expect(landmarker.ready).rejects.toThrow('closed');
  expect(inPage).not.toHaveBeenCalled();
});

test('a browser without WebAssembly, as in Lockdown Mode, downloads nothing and gets the reason', async () => {
  vi.stubGlobal('WebAssembly', undefined);
  const [inWorker, inPage] = [vi.fn(), vi.fn()];
  const landmarker = createLandmarker(ASSETS, inWorker, inPage, async () => 'no_engine');
  await expect(landmarker.ready).rejects.toMatchObject({ trouble: 'no_engine' });
  expect([inWorker, inPage].flatMap(({ mock }) => mock.calls)).toEqual([]);
});
