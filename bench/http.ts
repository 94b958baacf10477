/** HTTP routes compared with empty ones, in one server and one run: `--connections=32`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import autocannon from 'autocannon';
import { numberOption } from '../testing/figures.ts';
import type { BenchResult } from './support/report.ts';

const connections = numberOption('connections', 32);
const ROUND_S = 3;
/** Rounds alternate, so that a change of the machine's speed affects both sides; the median ratio counts. */
const ROUNDS = 5;

type Load = Pick<autocannon.Options, 'method' | 'headers' | 'body'> & { url: string };

export async function run(): Promise<BenchResult[]> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'support/http-server.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { baseUrl, key } = JSON.parse(line) as { baseUrl: string; key: string };
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const token = await settledToken(baseUrl, headers);
    const body = JSON.stringify({ external_id: 'guest-1', redirect_url: 'https://organiser.example/done' });
    return [
      await compare('GET /v3/confirmations/{token} against a no-op GET', '≥ 0.50', 0.5, {
        target: { url: `${baseUrl}/v3/confirmations/${token}`, headers },
        nothing: { url: `${baseUrl}/noop` },
      }),
      await compare('POST /v3/initialize, durable, against a no-op POST', '≥ 0.40', 0.4, {
        target: { url: `${baseUrl}/v3/initialize`, method: 'POST', headers, body },
        nothing: { url: `${baseUrl}/noop`, method: 'POST', headers, body },
      }),
    ];
  } finally {
    child.stdin.end();
    await once(child, 'exit');
  }
}

/** A run that settled with a test face, and its token. */
async function settledToken(baseUrl: string, headers: Record<string, string>): Promise<string> {
  const post = async (url: string, body: unknown, extra: Record<string, string> = {}) => {
    const response = await fetch(`${baseUrl}${url}`, {
      method: 'POST',
      headers: { ...headers, ...extra },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const { session_id: id } = await post('/v3/initialize', {});
  const flow = `/flow/sessions/${String(id)}`;
  const { flow_token: flowToken } = await post(`${flow}/open`, { device: 'mobile' });
  const extra = { 'x-flow-token': String(flowToken) };
  await post(`${flow}/consent`, { accepted: true }, extra);
  const { result } = await post(`${flow}/test-capture`, { face: 'alice' }, extra);
  return (result as { vyt: string }).vyt;
}

async function compare(
  name: string,
  hold: string,
  least: number,
  { target, nothing }: { target: Load; nothing: Load },
): Promise<BenchResult> {
  const rounds: { value: number; baseline: number; ratio: number }[] = [];
  await fire(target, 1);
  await fire(nothing, 1);
  for (let round = 0; round < ROUNDS; round++) {
    const baseline = await fire(nothing, ROUND_S);
    const value = await fire(target, ROUND_S);
    rounds.push({ value, baseline, ratio: value / baseline });
  }
  const median = rounds.sort((a, b) => a.ratio - b.ratio)[Math.floor(ROUNDS / 2)];
  if (!median) throw new Error('No round was run.');
  return { name, ...median, unit: 'requests/s', hold, ok: median.ratio >= least };
}

/** Requests a second; throws if one was not answered with 200. */
async function fire(load: Load, seconds: number): Promise<number> {
  const result = await autocannon({ ...load, connections, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${load.url}: ${result.non2xx} refusals`);
  return result.requests.average;
}
