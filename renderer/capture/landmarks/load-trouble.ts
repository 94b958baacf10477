/** Why the check could not be loaded, as far as a page can determine. */
import { answerOf } from '../../http/load-part.ts';
import { isPortal } from '../../http/portal.ts';
import type { VisionAssets } from './protocol.ts';

/** `no_engine`: this browser has no WebAssembly or no WebGL, as on an iPhone in Lockdown Mode. */
export type LoadTrouble = 'offline' | 'portal' | 'blocked' | 'no_engine' | 'not_loaded';

export class LoadFailure extends Error {
  readonly trouble: LoadTrouble;

  constructor(trouble: LoadTrouble, cause: unknown) {
    super(`${trouble}: ${String(cause)}`, { cause });
    this.name = 'LoadFailure';
    this.trouble = trouble;
  }
}

export type LoadSigns = {
  fetch: typeof fetch;
  hasWebAssembly: boolean;
  hasWebGl: boolean;
};

export const loadSigns = (): LoadSigns => ({
  fetch,
  hasWebAssembly: typeof WebAssembly === 'object',
  hasWebGl: hasWebGl(),
});

/** Requests only headers. Never rejects. */
export async function loadTroubleOf(assets: VisionAssets, signs: LoadSigns): Promise<LoadTrouble> {
  if (!signs.hasWebAssembly) return 'no_engine';
  // The server answers this without any work: it distinguishes a missing connection from a refused file.
  const alive = await answerOf(signs.fetch);
  if (alive !== null && isPortal(alive)) return 'portal';
  if (alive?.ok !== true) return 'offline';
  const addresses = [assets.loaderUrl, assets.binaryUrl, assets.modelUrl];
  const files = await Promise.all(
    addresses.map(async (url) => (await answerOf(signs.fetch, 'omit', url))?.ok === true),
  );
  if (files.includes(false)) return 'blocked';
  return signs.hasWebGl ? 'not_loaded' : 'no_engine';
}

function hasWebGl(): boolean {
  const canvas = document.createElement('canvas');
  return (canvas.getContext('webgl2') ?? canvas.getContext('webgl')) !== null;
}
