/**
 * `npm run -s first-result`: from nothing to a verified result. Starts a Gatehouse of its own on a temporary data folder, makes the
 * calls of a ticketing system and of a guest with a test face, prints each with its reply, and removes everything again.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onReadyLine } from '../electron/service/ready-line.ts';
import { SERVER_MEMORY_ENV, SERVER_NODE_ARGS } from '../electron/service/runtime.ts';
import { makeFirstCompany } from './run/first-company.ts';
import { prepareServer } from './run/prepare.ts';
import { SERVER } from './run/built.ts';

const CALL_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 15_000;

type Fields = Record<string, unknown>;
type Call = { what: string; path: string; headers?: Record<string, string>; body?: object };

/** Makes one call and prints it with its reply. @throws if it is refused */
async function call(baseUrl: string, { what, path: at, headers = {}, body }: Call): Promise<Fields> {
  const method = body === undefined ? 'GET' : 'POST';
  const reply = await fetch(baseUrl + at, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  const fields = (await reply.json()) as Fields;
  console.log(`${what && `\n${what}\n`}  ${method} ${at}${body ? ` ${JSON.stringify(body)}` : ''}`);
  if (!reply.ok) throw new Error(`Gatehouse answered ${reply.status}: ${JSON.stringify(fields)}`);
  return fields;
}

const show = (fields: Fields) => console.log(`  → ${JSON.stringify(fields)}`);

/** @returns whether the result is verified */
async function firstResult(baseUrl: string, secretKey: string): Promise<boolean> {
  const key = { authorization: `Bearer ${secretKey}` };
  const started = await call(baseUrl, {
    what: '1. Your server starts a check.',
    path: '/v3/initialize',
    headers: key,
    body: { external_id: 'ticket-1042', group: 'friday', redirect_url: `${baseUrl}/sdk/demo` },
  });
  show(started);

  const session = `/flow/sessions/${String(started['session_id'])}`;
  const opened = await call(baseUrl, {
    what: '2. The guest opens the link, agrees, and chooses the test face alice.',
    path: `${session}/open`,
    body: { device: 'mobile' },
  });
  const flow = { 'x-flow-token': String(opened['flow_token']) };
  const step = (name: string, body: object) =>
    call(baseUrl, { what: '', path: `${session}/${name}`, headers: flow, body });
  await step('consent', { accepted: true });
  const { result } = await step('test-capture', { face: 'alice' });
  const { vyt, return_url: returnUrl } = (result ?? {}) as Fields;
  console.log(`  → the guest returns to ${String(returnUrl)}`);

  const confirmation = await call(baseUrl, {
    what: '3. Your server exchanges the result token.',
    path: `/v3/confirmations/${String(vyt)}`,
    headers: key,
  });
  show(confirmation);
  return confirmation['verified'] === true;
}

/** Settings of an installation name its database and its address; only the places of the models are kept. */
const withoutSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^GATEHOUSE_(?!CACHE_DIR$|MODEL_DIR$)/.test(name)),
  );

function startServer(dataDir: string): { server: ChildProcess; ready: Promise<string> } {
  const options = ['serve', '--data-dir', dataDir, '--port', '0', '--console-port', '0'];
  const server = spawn(process.execPath, [...SERVER_NODE_ARGS, SERVER, ...options], {
    env: { ...withoutSettings(process.env), ...SERVER_MEMORY_ENV, GATEHOUSE_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ready = new Promise<string>((resolve, reject) => {
    onReadyLine(server.stdout, ({ baseUrl }) => resolve(baseUrl));
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)));
  });
  return { server, ready };
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  const late = setTimeout(() => server.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(late);
}

const startedAt = performance.now();
await prepareServer();
const dataDir = await mkdtemp(path.join(tmpdir(), 'gatehouse-first-result-'));
const { server, ready } = startServer(dataDir);
const interrupted = () => server.kill('SIGTERM');
process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
try {
  const baseUrl = await ready;
  const company = await makeFirstCompany(dataDir);
  if (!company) throw new Error('The new installation has a company already.');
  const verified = await firstResult(baseUrl, company.keys.sk_test);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`\nverified: ${verified}, after ${seconds} s`);
  process.exitCode = verified ? 0 : 1;
} catch (error) {
  process.stderr.write(`gatehouse: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await stop(server);
  await rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
}
