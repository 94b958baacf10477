/**
 * HTTP routes compared with empty ones in one server, and with the same routes of a server that lacks one of the SQLite driver’s
 * shortcuts: a ratio of 0.97 or more means that the shortcut brings too little. `--connections=32`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import autocannon from 'autocannon';
import { numberOption } from '../testing/figures.ts';
import type { BenchResult } from './support/report.ts';
import { type Shortcut, SHORTCUTS, WITHOUT } from './support/without.ts';

const connections = numberOption('connections', 32);
const ROUND_S = 3;
/** Rounds alternate, so that a change of the machine's speed affects both sides; the median ratio counts. */
const ROUNDS = 5;

const BODY = JSON.stringify({ external_id: 'guest-1', redirect_url: 'https://organiser.example/done' });

type Load = Pick<autocannon.Options, 'method' | 'headers' | 'body'> & { url: string };

export async function run(): Promise<BenchResult[]> {
  const { baseUrl, headers, stop } = await startServer();
  try {
    const token = await settledToken(baseUrl, headers);
    const confirm = (url: string, of = token, as = headers) => ({
      url: `${url}/v3/confirmations/${of}`,
      headers: as,
    });
    const initialize = (url: string, as = headers): Load => ({
      url: `${url}/v3/initialize`,
      method: 'POST',
      headers: as,
      body: BODY,
    });
    const results = [
      await compare('GET /v3/confirmations/{token} against a no-op GET', {
        target: confirm(baseUrl),
        baseline: { url: `${baseUrl}/noop` },
        least: 0.5,
      }),
      await compare('POST /v3/initialize, durable, against a no-op POST', {
        target: initialize(baseUrl),
        baseline: { ...initialize(baseUrl), url: `${baseUrl}/noop` },
        least: 0.4,
      }),
    ];
    for (const shortcut of Object.keys(SHORTCUTS) as Shortcut[]) {
      const other = await startServer(shortcut);
      try {
        const itsToken = await settledToken(other.baseUrl, other.headers);
        results.push(
          await compare(`GET /v3/confirmations/{token} without ${shortcut}`, {
            target: confirm(other.baseUrl, itsToken, other.headers),
            baseline: confirm(baseUrl),
          }),
          await compare(`POST /v3/initialize without ${shortcut}`, {
            target: initialize(other.baseUrl, other.headers),
            baseline: initialize(baseUrl),
          }),
        );
      } finally {
        await other.stop();
      }
    }
    return results;
  } finally {
    await stop();
  }
}

/** @param without a shortcut of the SQLite driver that this server does not take */
async function startServer(without?: Shortcut) {
  const support = (name: string) => path.join(import.meta.dirname, 'support', name);
  const child = spawn(process.execPath, ['--import', support('without.ts'), support('http-server.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...(without !== undefined && { [WITHOUT]: without }) },
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { baseUrl, key } = JSON.parse(line) as { baseUrl: string; key: string };
  return {
    baseUrl,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    stop: async () => {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
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

/** @param least ratio that has to be reached */
async function compare(
  name: string,
  { target, baseline: nothing, least }: { target: Load; baseline: Load; least?: number },
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
  const held =
    least === undefined ? { ok: true } : { hold: `≥ ${least.toFixed(2)}`, ok: median.ratio >= least };
  return { name, ...median, unit: 'requests/s', ...held };
}

/** Requests a second; throws if one was not answered with 200. */
async function fire(load: Load, seconds: number): Promise<number> {
  const result = await autocannon({ ...load, connections, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${load.url}: ${result.non2xx} refusals`);
  return result.requests.average;
}
