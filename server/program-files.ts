import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** This folder: `server` with its TypeScript, or `dist/server` with the built server, which has the same files at the same places. */
const here = path.dirname(fileURLToPath(import.meta.url));
const extension = path.extname(import.meta.url);

/** The folder with `assets`, `dist` and `locales`. */
export const INSTALLATION = path.resolve(here, extension === '.js' ? '../..' : '..');

/** Files that run in threads of their own. The build makes an entry of each. */
export const THREADS = ['face/worker', 'face/index/index-worker', 'services/backup/worker'] as const;

/** The address of a thread's file, for `new Worker`. */
export const threadFile = (name: (typeof THREADS)[number]): URL =>
  new URL(`./${name}${extension}`, import.meta.url);
