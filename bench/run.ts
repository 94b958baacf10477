/** Runs every benchmark, or those named on the command line, and prints one table. Exits 1 where a number does not hold. */
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import type { BenchResult } from './result.ts';

const BENCHES: Record<string, () => Promise<{ run: () => Promise<BenchResult[]> }>> = {
  http: () => import('./http.ts'),
  engine: () => import('./engine.ts'),
  index: () => import('./index.ts'),
  verdict: () => import('./verdict.ts'),
  start: () => import('./start.ts'),
  desktop: () => import('./desktop.ts'),
  webhooks: () => import('./webhooks.ts'),
  console: () => import('./console.ts'),
};

/** Above this the other load of the machine shows in the figures. */
const QUIET_LOAD_PER_CORE = 0.5;

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const unknown = wanted.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}.`);
  process.exit(1);
}

const cores = availableParallelism();
const gibibytes = Math.round(totalmem() / 2 ** 30);
console.log(
  `${cpus()[0]?.model ?? 'unknown processor'}, ${cores} cores, ${gibibytes} GiB, Node ${process.version}`,
);
if ((loadavg()[0] ?? 0) > QUIET_LOAD_PER_CORE * cores) {
  console.log(
    `The machine is busy (load ${loadavg()[0]?.toFixed(1) ?? '?'}): figures will look worse than they are.`,
  );
}

const results: BenchResult[] = [];
for (const [name, load] of Object.entries(BENCHES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  results.push(...(await (await load()).run()));
}
console.table(
  results.map(({ name, value, baseline, ratio, unit, hold, ok }) => ({
    what: name,
    value: `${value.toFixed(1)} ${unit}`,
    baseline: `${baseline.toFixed(1)} ${unit}`,
    ratio: Number(ratio.toFixed(3)),
    hold: hold ?? '',
    holds: ok,
  })),
);
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
