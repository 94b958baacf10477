import { expect, test } from 'vitest';
import { visionAssets } from './landmarker.ts';
import { loadTroubleOf, type LoadSigns } from './load-trouble.ts';

const ASSETS = visionAssets('/assets/hosted/', 'https://check.example');
const answering =
  (refused: RegExp): typeof fetch =>
  async (input) => {
    if (refused.test(input as string)) throw new TypeError('Failed to fetch');
    return new Response(null, { status: 204 });
  };
const SIGNS: LoadSigns = {
  fetch: answering(/^$/),
  hasWebAssembly: true,
  hasWebGl: true,
};

test.each<[string, Partial<LoadSigns>, string]>([
  ['a server that is out of reach', { fetch: answering(/./) }, 'offline'],
  ['a file that a filter refuses', { fetch: answering(/\.wasm$/) }, 'blocked'],
  ['a browser without WebGL', { hasWebGl: false }, 'no_engine'],
  ['a browser without WebAssembly', { hasWebAssembly: false }, 'no_engine'],
  ['a reason that nothing tells', {}, 'not_loaded'],
])('%s is recognised', async (_what, signs, trouble) => {
  expect(await loadTroubleOf(ASSETS, { ...SIGNS, ...signs })).toBe(trouble);
});
