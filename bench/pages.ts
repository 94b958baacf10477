/** What a device loads for a page's first view. */
import { firstLoads } from '../testing/first-load.ts';
import type { BenchResult } from './support/report.ts';

export async function run(): Promise<BenchResult[]> {
  return firstLoads().map(({ page, kb, budgetKb }) => ({
    name: `script that the page "${page}" loads at first, gzipped, against its budget`,
    value: kb,
    baseline: budgetKb,
    ratio: kb / budgetKb,
    unit: 'kB',
    hold: `≤ ${budgetKb} kB`,
    ok: kb <= budgetKb,
  }));
}
