/** What a device loads for a page's first view: built files, as they are sent. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { BenchResult } from './report.ts';

const DIST = path.resolve(import.meta.dirname, '../dist');
const BYTES_PER_KB = 1_000;

/** Budgets in kB, gzipped, in the language with the largest messages. The console loads each view when it is opened. */
const BUDGETS = { hosted: 95.4, kiosk: 107.5, console: 212.5, docs: 79.5 } as const;

export async function run(): Promise<BenchResult[]> {
  return Object.entries(BUDGETS).map(([page, mostKb]) => {
    const index = path.join(DIST, page, 'index.html');
    if (!existsSync(index)) throw new Error('The pages are not built: npm run build');
    const value = kilobytes(path.join(DIST, page), readFileSync(index, 'utf8'));
    return {
      name: `script that the page "${page}" loads at first, gzipped, against its budget`,
      value,
      baseline: mostKb,
      ratio: value / mostKb,
      unit: 'kB',
      hold: `≤ ${mostKb} kB`,
      ok: value <= mostKb,
    };
  });
}

/** The entry, its static imports, and one language, because the server removes the others. */
function kilobytes(folder: string, html: string): number {
  let bytes = 0;
  const languages: Record<string, number> = {};
  for (const [tag, address = ''] of html.matchAll(
    /<(?:script|link)\b[^>]*(?:src|href)="([^"]+\.js)"[^>]*>/g,
  )) {
    const { size } = statSync(path.join(folder, `${path.basename(address)}.gz`));
    const language = /data-catalogue="(\w+)"/.exec(tag)?.[1];
    if (language === undefined) bytes += size;
    else languages[language] = (languages[language] ?? 0) + size;
  }
  if (bytes === 0) throw new Error('The page names no script.');
  return (bytes + Math.max(0, ...Object.values(languages))) / BYTES_PER_KB;
}
