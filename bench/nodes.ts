/** Settlements and reads of one server on SQLite against 1, 2 and 3 nodes on PostgreSQL, and their cost. */
import { confirmation, consentedRun, type Run } from '../e2e/support/run.ts';
import { type Gatehouse, startGatehouse } from '../e2e/support/service/server.ts';
import { createTestDatabase, findPostgres, startPostgres } from '../testing/postgres/server.ts';
import { memoryBytes, processorMs, processTree } from './support/process-memory.ts';
import { numberOption } from '../testing/figures.ts';
import type { BenchResult } from './support/report.ts';

/** As an operator has it; tests do without. */
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const NODES = [1, 2, 3];
const CLIENTS = 16;
/** Reads for each settlement: a backend reads a result more often than it arises. */
const READS_EACH = 4;
const MEBIBYTE = 2 ** 20;
const START_MS = 180_000;

type Rate = { aSecond: number; processorMs: number };
type Measured = { settlements: Rate; reads: Rate; mebibytes: number };

export async function run(): Promise<BenchResult[]> {
  const bin = findPostgres();
  if (bin === undefined) throw new Error('PostgreSQL is not installed (apt-get install postgresql).');
  const runs = numberOption('runs', 600);
  const file = await measure(await start(1, {}), runs);
  const { folder, stop } = await startPostgres(bin, () => DURABLE);
  try {
    const results: BenchResult[] = [];
    for (const count of NODES) {
      const GATEHOUSE_DATABASE_URL = await createTestDatabase(folder, `nodes_${count}`);
      const nodes = await measure(await start(count, { GATEHOUSE_DATABASE_URL }), runs);
      results.push(...compare(`${count} on PostgreSQL against one on SQLite`, nodes, file));
    }
    return results;
  } finally {
    await stop();
  }
}

function compare(name: string, nodes: Measured, file: Measured): BenchResult[] {
  const row = (what: string, unit: string, of: (measured: Measured) => number): BenchResult => {
    const [value, baseline] = [of(nodes), of(file)];
    return { name: `${name}: ${what}`, unit, value, baseline, ratio: value / baseline, ok: true };
  };
  return [
    row('settlements', '/s', ({ settlements }) => settlements.aSecond),
    row('processor time of a settlement', 'ms', ({ settlements }) => settlements.processorMs),
    row('reads of a result', '/s', ({ reads }) => reads.aSecond),
    row('processor time of a read', 'ms', ({ reads }) => reads.processorMs),
    row('memory of a node', 'MiB', ({ mebibytes }) => mebibytes),
  ];
}

async function start(count: number, env: Record<string, string>): Promise<Gatehouse[]> {
  const nodes: Gatehouse[] = [];
  while (nodes.length < count) nodes.push(await startGatehouse({ env, readyTimeoutMs: START_MS }));
  return nodes;
}

async function measure(nodes: Gatehouse[], count: number): Promise<Measured> {
  const key = nodes[0]?.company.keys.sk_test ?? '';
  const pick = (n: number) => nodes[n % nodes.length] as Gatehouse;
  try {
    const runs: Run[] = [];
    await each(count, async (n) => void runs.push(await consentedRun(pick(n), key)));
    const tokens: string[] = [];
    const settlements = await rate(count, async (n) => {
      const { body } = await (runs[n] as Run).flow('/test-capture', { face: `face-${n}` });
      if (!body.result) throw new Error(`The run ended ${body.state}, without a result.`);
      tokens.push(body.result.vyt);
    });
    const reads = await rate(count * READS_EACH, async (n) => {
      await confirmation(pick(n), key, tokens[n % count] ?? '');
    });
    const mebibytes = memoryBytes(nodes.map(({ pid }) => pid)) / nodes.length / MEBIBYTE;
    return { settlements, reads, mebibytes };
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
  }
}

async function each(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const client = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

async function rate(count: number, work: (n: number) => Promise<void>): Promise<Rate> {
  const processorBefore = serversMs();
  const startMs = performance.now();
  await each(count, work);
  const seconds = (performance.now() - startMs) / 1_000;
  return { aSecond: count / seconds, processorMs: (serversMs() - processorBefore) / count };
}

/** Of the nodes and of PostgreSQL, which this process has started. The clients' own is left out. */
const serversMs = (): number => processorMs(processTree(process.pid).filter((pid) => pid !== process.pid));
