/** Starts the server's process, in Electron's own Node.js or in another one, with the same interface for both. */
import { fork } from 'node:child_process';
import { utilityProcess } from 'electron';
import { type Runtime, SERVER_MEMORY_ENV, SERVER_NODE_ARGS } from './runtime.ts';
import { onAddresses, type StartStage, startStageIn } from './ready-line.ts';
import type { ServerProcess } from './supervisor.ts';
import { createInterface } from 'node:readline';

type LaunchOptions = {
  runtime: Runtime;
  /** The server's entry for the desktop app. */
  entry: string;
  env: NodeJS.ProcessEnv;
  /** The database's key; null if the server has its own key file. */
  key: string | null;
  /** An installed app, which has no command line. */
  isInstalled: boolean;
  /** An admin may set a new passphrase with the recovery phrase. */
  recovers: boolean;
  /** Receives each line of the server's log. */
  log: (line: string) => void;
};

const ARGS = ['serve'];
const STOP = { type: 'stop' };
const startOf = ({ key, isInstalled, recovers }: LaunchOptions) => ({
  type: 'start',
  key,
  isInstalled,
  recovers,
});

/** A process that cannot even be created ends at once, with the reason. */
export function launchServer(options: LaunchOptions): ServerProcess {
  try {
    return launched(options);
  } catch (error) {
    return nothing(error instanceof Error ? error.message : String(error));
  }
}

function launched(options: LaunchOptions): ServerProcess {
  const { runtime } = options;
  switch (runtime.kind) {
    case 'utility':
      return utility(options);
    case 'node':
      return child(runtime.execPath, options);
    case 'none':
      return nothing(
        "This Electron's Node.js is too old for the service, and no other Node.js was named. " +
          'Use the Electron version that Gatehouse was built for, or start with "npm start".',
      );
  }
}

function utility(options: LaunchOptions): ServerProcess {
  const { entry, env, log } = options;
  const process = utilityProcess.fork(entry, ARGS, {
    serviceName: 'Gatehouse service',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  process.once('spawn', () => process.postMessage(startOf(options)));
  // It exits next.
  process.on('error', (type, location) => log(`the service failed in its engine (${type}, ${location})`));
  process.stdout?.on('error', () => undefined);
  const { lastMessage, onStage } = follow(process.stderr, log);
  return {
    onStage,
    onAddresses: (listener) => process.stdout && onAddresses(process.stdout, listener),
    onExit: (listener) => process.once('exit', () => listener({ reason: lastMessage() })),
    stop: () => process.postMessage(STOP),
    kill: () => process.kill(),
  };
}

function child(execPath: string, options: LaunchOptions): ServerProcess {
  const { entry, env, log } = options;
  const process = fork(entry, ARGS, {
    execPath,
    execArgv: SERVER_NODE_ARGS,
    env: { ...SERVER_MEMORY_ENV, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  // A process that could not be started reports that by its exit.
  process.send(startOf(options), () => undefined);
  const { lastMessage, onStage } = follow(process.stderr, log);
  let startError: string | null = null;
  process.on('error', (error) => (startError = error.message));
  process.stdout?.on('error', () => undefined);
  return {
    onStage,
    onAddresses: (listener) => process.stdout && onAddresses(process.stdout, listener),
    onExit(listener) {
      process.once('error', () => {
        // A missing program never exits.
        if (process.pid === undefined) listener({ reason: startError });
      });
      // Not `exit`: its last messages may still be in transit then.
      process.once('close', () => {
        if (process.pid !== undefined) listener({ reason: lastMessage() ?? startError });
      });
    },
    stop: () => process.connected && process.send(STOP, () => undefined),
    kill: () => process.kill('SIGKILL'),
  };
}

/** Forwards each line of the server's stderr, and extracts what the window shows. */
function follow(stderr: NodeJS.ReadableStream | null, log: (line: string) => void) {
  let report: (stage: StartStage) => void = () => undefined;
  const passOn = (line: string) => {
    log(line);
    const stage = startStageIn(line);
    if (stage !== null) report(stage);
  };
  return {
    lastMessage: stderr ? rememberLastMessage(stderr, passOn) : () => null,
    onStage: (listener: (stage: StartStage) => void) => {
      report = listener;
    },
  };
}

/** Replaces a process that cannot be started. */
function nothing(reason: string): ServerProcess {
  return {
    onStage: () => undefined,
    onAddresses: () => undefined,
    onExit: (listener) => setImmediate(() => listener({ reason })),
    stop: () => undefined,
    kill: () => undefined,
  };
}

/** Prefix of the command line's own sentences among the log's JSON lines. */
const MARK = 'gatehouse: ';

/** Reads a process's stderr to its end, forwards it, and keeps the last reason. */
function rememberLastMessage(
  stream: NodeJS.ReadableStream,
  passOn: (line: string) => void,
): () => string | null {
  let message: string | null = null;
  stream.on('error', () => undefined);
  createInterface({ input: stream }).on('line', (line) => {
    if (line.startsWith(MARK)) message = line.slice(MARK.length);
    passOn(line);
  });
  return () => message;
}
