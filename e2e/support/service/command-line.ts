/** The product's command line for tests that need its results: companies, operators, settings. */
import { type ChildProcess, execFile, fork } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { compiledDir } from '../../../scripts/assets/paths.ts';
import { SERVER } from '../../../scripts/run/built.ts';
import type { HostReply, HostRequest } from './command-line-host.ts';

const runFile = promisify(execFile);

/** The built server, as people run it; the tests' global setup has built it. */
export const CLI = SERVER;
const HOST = path.join(import.meta.dirname, 'command-line-host.ts');

type Waiting = { resolve: (reply: HostReply) => void; reject: (error: Error) => void };

let host: { child: ChildProcess; waiting: Map<number, Waiting> } | undefined;
let lastId = 0;

function openHost(): NonNullable<typeof host> {
  const child = fork(HOST, { env: { ...process.env, NODE_COMPILE_CACHE: compiledDir() }, stdio: 'ignore' });
  const waiting = new Map<number, Waiting>();
  child.on('message', (reply: HostReply) => {
    waiting.get(reply.id)?.resolve(reply);
    waiting.delete(reply.id);
  });
  child.once('exit', (code) => {
    host = undefined;
    for (const { reject } of waiting.values()) reject(new Error(`The command line ended with ${code}.`));
  });
  // The tests' process ends when it has nothing to do, and the host ends with it.
  child.unref();
  child.channel?.unref();
  return { child, waiting };
}

/**
 * Runs a command and returns its output. An environment with options for Node needs a separate process; any other runs
 * in a persistent one, because starting one takes longer than the command.
 * @throws with the command's stderr
 */
export async function runCli(args: readonly string[], env: NodeJS.ProcessEnv, cli = CLI): Promise<string> {
  if (env['NODE_OPTIONS'] !== undefined) {
    return (await runFile(process.execPath, [cli, ...args], { env })).stdout;
  }
  host ??= openHost();
  const { child, waiting } = host;
  const id = (lastId += 1);
  child.channel?.ref();
  const reply = await new Promise<HostReply>((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    child.send({ id, cli, args, env } satisfies HostRequest);
  }).finally(() => {
    if (waiting.size === 0) child.channel?.unref();
  });
  if (reply.code !== 0) throw new Error(`Command failed: ${args.join(' ')}\n${reply.stderr}`);
  return reply.stdout;
}

/** The command line from a shell: its exit code and output. */
export type Ended = { code: number; stdout: string; stderr: string };

export function runCommand(args: readonly string[], env = process.env, cli = CLI): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [cli, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}
