import { afterEach, expect, test, vi } from 'vitest';
import { createLandmarker, visionAssets, type Landmarker } from './landmarker.ts';
import type { FromWorker, ToWorker } from './protocol.ts';

const ASSETS = visionAssets('/assets/hosted/', 'https://check.example');

const made = (ready: Promise<void>) => ({ ready, close: vi.fn(), forget: vi.fn() }) as unknown as Landmarker;

afterEach(() => vi.unstubAllGlobals());

test('the next worker starts with the program that one has compiled, unless a worker has failed since', async () => {
  const program = {} as WebAssembly.Module;
  const ready: FromWorker = { type: 'ready', program };
  const replies: FromWorker[] = [ready, ready, { type: 'failed', reason: 'another loader' }, ready];
  const given: (WebAssembly.Module | null)[] = [];
  class FakeWorker {
    onmessage: (event: { data: FromWorker | undefined }) => void = () => undefined;
    postMessage(message: ToWorker) {
      if (message.type === 'load') given.push(message.program);
      queueMicrotask(() => this.onmessage({ data: replies.shift() }));
    }
    terminate() {}
  }
  vi.stubGlobal('Worker', FakeWorker);
  const inPage = async () => ({ createPageLandmarker: () => made(Promise.resolve()) });
  while (replies.length > 0) {
    const landmarker = createLandmarker(ASSETS, undefined, inPage);
    await landmarker.ready;
    landmarker.close();
  }
  expect(given).toEqual([null, program, program, null]);
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
