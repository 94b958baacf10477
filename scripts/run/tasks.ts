/** Runs programs, a few at a time, stores their output, and reports how each ended. */
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import path from 'node:path';
import { PROJECT_ROOT } from '../assets/paths.ts';

export type Task = {
  name: string;
  /** A command of `node_modules/.bin` and its arguments. */
  command: readonly [program: string, ...args: string[]];
};

type Outcome = { name: string; ok: boolean; output: string; seconds: number };

const TSC = ['node', 'node_modules/typescript-7/bin/tsc', '-p'] as const;

/** All checks that do not run the product. The slow ones first, so that none is left for the end. */
export const STATIC_CHECKS: readonly Task[] = [
  { name: 'lint', command: ['oxlint', '--deny-warnings'] },
  { name: 'browser support', command: ['node', 'scripts/browser-support.ts'] },
  { name: 'messages', command: ['node', 'scripts/locales.ts', '--check'] },
  { name: 'prose', command: ['node', 'scripts/prose.ts'] },
  { name: 'interface', command: ['node', 'scripts/interface.ts', '--check'] },
  { name: 'types of server and scripts', command: [...TSC, 'tsconfig.json'] },
  { name: 'types of the pages', command: [...TSC, 'renderer/tsconfig.json'] },
  { name: 'types of the end-to-end tests', command: [...TSC, 'e2e/tsconfig.json'] },
  {
    name: 'direction of imports',
    command: [
      'depcruise',
      '--output-type',
      'err',
      'server',
      'renderer',
      'electron',
      'scripts',
      'sdk',
      'bench',
      'e2e',
      'lab',
      'testing',
    ],
  },
  { name: 'format', command: ['oxfmt', '--check'] },
];

/** As for `nice`: only otherwise idle processor time. */
const BACKGROUND_NICENESS = 15;

/**
 * Runs all of them whatever their results, `atOnce` in parallel; returns outcomes in the order of the tasks.
 * @param inBackground for tasks that must not slow others down
 */
export async function runTasks(
  tasks: readonly Task[],
  atOnce: number,
  ended: (outcome: Outcome) => void,
  { inBackground = false }: { inBackground?: boolean } = {},
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const queue = [...tasks.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, task] = next;
      const outcome = await runTask(task, inBackground);
      outcomes[index] = outcome;
      ended(outcome);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return outcomes;
}

async function runTask({ name, command: [program, ...args] }: Task, inBackground: boolean): Promise<Outcome> {
  const startedAt = performance.now();
  const child = spawn(binary(program), args, {
    cwd: PROJECT_ROOT,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  // Its own children inherit it.
  if (inBackground && child.pid !== undefined) setPriority(child.pid, BACKGROUND_NICENESS);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const ok = await new Promise<boolean>((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve(false);
    });
    child.once('close', (code) => resolve(code === 0));
  });
  return { name, ok, output, seconds: (performance.now() - startedAt) / 1000 };
}

/** Runs one program with the terminal's own output. Returns its exit code, 1 if it did not start. */
export async function runVisibly(
  command: Task['command'],
  { env = {} }: { env?: NodeJS.ProcessEnv } = {},
): Promise<number> {
  const [program, ...args] = command;
  const child = spawn(binary(program), args, {
    cwd: PROJECT_ROOT,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

const binary = (program: string): string => path.join(PROJECT_ROOT, 'node_modules/.bin', program);

/** One line per outcome, for a terminal or a log. */
export function outcomeLine({ name, ok, seconds }: Outcome): string {
  return `${ok ? '✓' : '✗'} ${name} (${seconds.toFixed(1)} s)`;
}

/** The output of the failed ones, each under its name; empty if none failed. */
export function failureReport(outcomes: readonly Outcome[]): string {
  return outcomes
    .filter(({ ok }) => !ok)
    .map(
      ({ name, output }) => `\n── ${name} ${'─'.repeat(Math.max(0, 66 - name.length))}\n${output.trim()}\n`,
    )
    .join('');
}
