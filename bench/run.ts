/**
 * Runs every benchmark, or those named on the command line, and prints one table; `--markdown` prints it in the form
 * of `docs/explanation/performance.md`. Exits with 1 if a limit does not hold.
 */
import { asMarkdown, asRows, type BenchResult, load, machine } from './support/report.ts';

const BENCHES: Record<string, () => Promise<{ run: () => Promise<BenchResult[]> }>> = {
  http: () => import('./http.ts'),
  engine: () => import('./engine.ts'),
  index: () => import('./index.ts'),
  replay: () => import('./replay.ts'),
  verdict: () => import('./verdict.ts'),
  capture: () => import('./capture.ts'),
  start: () => import('./start.ts'),
  pages: () => import('./pages.ts'),
  desktop: () => import('./desktop.ts'),
  webhooks: () => import('./webhooks.ts'),
  console: () => import('./console.ts'),
  tickets: () => import('./tickets.ts'),
  'console-pages': () => import('./console-pages.ts'),
  nodes: () => import('./nodes.ts'),
  copy: () => import('./copy.ts'),
};

/** Numbers are values of options. */
const wanted = process.argv
  .slice(2)
  .filter((argument) => !argument.startsWith('--') && !/^\d+$/.test(argument));
const unknown = wanted.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}.`);
  process.exit(1);
}
const isMarkdown = process.argv.includes('--markdown');

const before = load();
const results: BenchResult[] = [];
for (const [name, open] of Object.entries(BENCHES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.error(`${name} …`);
  results.push(...(await (await open()).run()));
}
const after = load();
const isBusy = before.isBusy ? ': other work was going on, and figures look worse than they are' : '';
console.log(`${machine()}; ${before.words} before, ${after.words} after${isBusy}`);
if (isMarkdown) console.log(`\n${asMarkdown(results)}`);
else console.table(asRows(results));
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
