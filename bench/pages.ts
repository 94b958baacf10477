/** What a phone loads of the hosted page before it may ask for the camera: built files, as they are sent. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { BenchResult } from './result.ts';

const HOSTED = path.resolve(import.meta.dirname, '../dist/hosted');
const URL_PREFIX = '/assets/hosted/';
const MOST_KB = 120;
const BYTES_PER_KB = 1_000;

export async function run(): Promise<BenchResult[]> {
  const index = path.join(HOSTED, 'index.html');
  if (!existsSync(index)) throw new Error('The pages are not built: npm run build');
  const value = kilobytes(scriptsOf(readFileSync(index, 'utf8')));
  return [
    {
      name: 'script of the hosted page before capture, gzipped, against its budget',
      value,
      baseline: MOST_KB,
      ratio: value / MOST_KB,
      unit: 'kB',
      hold: `≤ ${MOST_KB} kB`,
      ok: value <= MOST_KB,
    },
  ];
}

/** The entry and everything that it imports at once; what is imported when it is needed is not among them. */
function scriptsOf(html: string): string[] {
  const addresses = [...html.matchAll(/(?:src|href)="([^"]+\.js)"/g)].flatMap(([, address]) => address ?? []);
  if (addresses.length === 0) throw new Error('The hosted page names no script.');
  return addresses.map((address) => path.join(HOSTED, address.replace(URL_PREFIX, '')));
}

const kilobytes = (files: readonly string[]): number =>
  files.reduce((total, file) => total + statSync(`${file}.gz`).size, 0) / BYTES_PER_KB;
