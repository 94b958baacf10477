/** Starts the server's process, in Electron's own Node or in another one, and makes the two look alike. */
import { fork } from 'node:child_process';
import { utilityProcess } from 'electron';
import { rememberLastWords } from './last-words.ts';
import { onReadyLine } from './ready-line.ts';
import type { Runtime } from './runtime.ts';
import type { ServerProcess } from './supervisor.ts';

export type LaunchOptions = {
  runtime: Runtime;
  /** The server's entry for the desktop app. */
  entry: string;
  env: NodeJS.ProcessEnv;
};

const ARGS = ['serve'];
const STOP = 'stop';

export function launchServer({ runtime, entry, env }: LaunchOptions): ServerProcess {
  switch (runtime.kind) {
    case 'utility':
      return utility(entry, env);
    case 'node':
      return child(runtime.execPath, entry, env);
    case 'none':
      return nothing(
        "This Electron's Node.js is too old for the service, and no other Node.js was named. " +
          'Use the Electron that Gatehouse was made for, or start with "npm start".',
      );
  }
}

const toStderr = (line: string) => process.stderr.write(`${line}\n`);

function utility(entry: string, env: NodeJS.ProcessEnv): ServerProcess {
  const process = utilityProcess.fork(entry, ARGS, {
    serviceName: 'Gatehouse service',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lastWords = process.stderr ? rememberLastWords(process.stderr, toStderr) : () => null;
  return {
    onReady: (listener) => process.stdout && onReadyLine(process.stdout, listener),
    onExit: (listener) => process.once('exit', () => listener({ reason: lastWords() })),
    stop: () => process.postMessage(STOP),
    kill: () => process.kill(),
  };
}

function child(execPath: string, entry: string, env: NodeJS.ProcessEnv): ServerProcess {
  const process = fork(entry, ARGS, {
    execPath,
    execArgv: [],
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const lastWords = process.stderr ? rememberLastWords(process.stderr, toStderr) : () => null;
  let startError: string | null = null;
  return {
    onReady: (listener) => process.stdout && onReadyLine(process.stdout, listener),
    onExit(listener) {
      process.once('error', (error) => {
        startError = error.message;
        // A program that is not there never exits.
        if (process.pid === undefined) listener({ reason: startError });
      });
      // Not `exit`: its last words may still be on their way then.
      process.once('close', () => {
        if (process.pid !== undefined) listener({ reason: lastWords() ?? startError });
      });
    },
    stop: () => process.connected && process.send(STOP),
    kill: () => process.kill('SIGKILL'),
  };
}

/** Stands for a process that cannot be. */
function nothing(reason: string): ServerProcess {
  return {
    onReady: () => undefined,
    onExit: (listener) => setImmediate(() => listener({ reason })),
    stop: () => undefined,
    kill: () => undefined,
  };
}
