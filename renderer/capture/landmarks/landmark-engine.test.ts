import { afterEach, expect, test, vi } from 'vitest';
import { compileFile } from './landmark-engine.ts';

/** The smallest program of WebAssembly. */
const PROGRAM = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

afterEach(() => vi.unstubAllGlobals());

test('the program is compiled, also from a file whose type a proxy has changed', async () => {
  for (const type of ['application/wasm', 'application/octet-stream']) {
    vi.stubGlobal('fetch', async () => new Response(PROGRAM, { headers: { 'content-type': type } }));
    await expect(compileFile('/binary')).resolves.toBeInstanceOf(WebAssembly.Module);
  }
});
