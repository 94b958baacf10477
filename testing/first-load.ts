/** What a device loads for a page's first view: built files, as they are sent. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const DIST = path.resolve(import.meta.dirname, '../dist');
const BYTES_PER_KB = 1_000;

/** Budgets in kB, gzipped, in the language with the largest messages. The console loads each view when it is opened. */
const BUDGETS = { hosted: 95, kiosk: 107, console: 193, docs: 5 } as const;

type FirstLoad = { page: string; kb: number; budgetKb: number };

/** The first load of each page. */
export const firstLoads = (): readonly FirstLoad[] =>
  Object.entries(BUDGETS).map(([page, budgetKb]) => {
    const index = path.join(DIST, page, 'index.html');
    if (!existsSync(index)) throw new Error('The pages are not built: npm run build');
    return { page, kb: kilobytes(path.join(DIST, page), readFileSync(index, 'utf8')), budgetKb };
  });

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
