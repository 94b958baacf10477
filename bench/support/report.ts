/** The figures of a run as tables: for a terminal, and for `docs/explanation/performance.md`. */
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

/** Above this the machine's other load affects the figures. */
const QUIET_LOAD_PER_CORE = 0.5;

/** One line: processor, cores, memory, Node. */
export function machine(): string {
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const model = cpus()[0]?.model ?? 'unknown processor';
  return `${model}, ${availableParallelism()} cores, ${gibibytes} GiB, Node ${process.version}`;
}

/** The load of the last minute, in words; `isBusy` if other work affects the figures. */
export function load(): { words: string; isBusy: boolean } {
  const [lastMinute = 0] = loadavg();
  return {
    words: `load ${lastMinute.toFixed(1)}`,
    isBusy: lastMinute > QUIET_LOAD_PER_CORE * availableParallelism(),
  };
}

const quantity = (value: number, unit: string): string =>
  `${value.toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`;

const cells = ({ name, value, baseline, ratio, unit, hold, ok }: BenchResult) => ({
  what: name,
  hold: hold ?? '',
  value: quantity(value, unit),
  baseline: quantity(baseline, unit),
  ratio: ratio.toFixed(3),
  holds: hold === undefined ? '' : ok ? 'yes' : 'no',
});

export const asRows = (results: readonly BenchResult[]) => results.map(cells);

/** A table in Markdown, with columns as wide as their widest cell, in the project's format. */
export function asMarkdown(results: readonly BenchResult[]): string {
  const head = {
    what: 'What',
    hold: 'Hold',
    value: 'Value',
    baseline: 'Baseline',
    ratio: 'Ratio',
    holds: 'Holds',
  };
  const rows = [head, ...results.map(cells)].map((row) => Object.values(row));
  const widths = Object.keys(head).map((_, column) =>
    Math.max(3, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width)).join(' | ')} |`;
  const [first = [], ...rest] = rows;
  return [line(first), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('\n');
}

/**
 * One measured figure, always with its baseline from the same run on the same machine: only their ratio is comparable
 * between machines.
 */
export type BenchResult = {
  name: string;
  value: number;
  baseline: number;
  /** `value / baseline`. */
  ratio: number;
  /** Unit of `value` and `baseline`. */
  unit: string;
  /** The limit, in words. */
  hold?: string;
  /** Whether it holds; true for figures without a limit. */
  ok: boolean;
};

/** A quarter of the values are below: the time of a short task without interference. */
export function lowerQuartile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? Number.NaN;
}
