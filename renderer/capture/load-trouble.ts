/** Why the check could not be loaded, as far as a page can find out. */
import type { CameraTrouble } from '../i18n/messages.ts';
import type { VisionAssets } from './protocol.ts';

export type LoadTrouble = Extract<
  CameraTrouble,
  'offline' | 'blocked' | 'no_engine' | 'lockdown' | 'not_loaded'
>;

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
  userAgent: string;
  touchPoints: number;
  hasWebAssembly: boolean;
  hasWebGl: boolean;
};

/** The server answers this without looking at anything: it tells a missing connection from a file that is refused. */
const ALIVE = '/healthz';

export const loadSigns = (): LoadSigns => ({
  fetch: (input, init) => fetch(input, init),
  userAgent: navigator.userAgent,
  touchPoints: navigator.maxTouchPoints,
  hasWebAssembly: typeof WebAssembly === 'object',
  hasWebGl: hasWebGl(),
});

/** Asks for nothing but headers. Never rejects. */
export async function loadTroubleOf(assets: VisionAssets, signs: LoadSigns): Promise<LoadTrouble> {
  if (!signs.hasWebAssembly) return isApplePhone(signs) ? 'lockdown' : 'no_engine';
  const answers = async (url: string) => {
    try {
      return (await signs.fetch(url, { method: 'HEAD', cache: 'no-store' })).ok;
    } catch {
      return false;
    }
  };
  if (!(await answers(ALIVE))) return 'offline';
  const files = await Promise.all([assets.loaderUrl, assets.binaryUrl, assets.modelUrl].map(answers));
  if (files.includes(false)) return 'blocked';
  return signs.hasWebGl ? 'not_loaded' : 'no_engine';
}

/** Lockdown Mode takes WebAssembly from every browser on iOS, and nothing else there does. iPads call themselves a Mac. */
const isApplePhone = ({ userAgent, touchPoints }: LoadSigns): boolean =>
  /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1);

function hasWebGl(): boolean {
  const canvas = document.createElement('canvas');
  return (canvas.getContext('webgl2') ?? canvas.getContext('webgl')) !== null;
}
