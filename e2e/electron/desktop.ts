/** The real desktop app for a test: a real Electron, a window on the tests' own screen, and separate data. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { canRunTestElectron, testElectronProgram } from '../../scripts/assets/paths.ts';
import { openDisplay, whyNoDisplay } from '../../testing/display.ts';
import { freePorts } from '../support/service/free-ports.ts';
import { limitMs } from '../../testing/tier.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PROGRAM = testElectronProgram();
/** Loading the models takes a few seconds on a busy machine. */
const READY_TIMEOUT_MS = limitMs(15_000);
const LOOK_MS = 100;
/** The server has 10 s to drain. */
const QUIT_TIMEOUT_MS = limitMs(7_500);

export const ARGS = [
  // Chromium’s sandbox does not work for root; all other users get it.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  // Without a graphics device Chromium's software substitute only costs time.
  '--disable-gpu',
  // A camera exists, so that a refusal is the app's own.
  '--use-fake-device-for-media-stream',
];

/** Why the desktop app cannot run here; null if it can. */
export function whyNoDesktop(): string | null {
  if (!canRunTestElectron()) return 'The Electron of the tests runs on Linux on x64 only.';
  if (!existsSync(PROGRAM)) return 'The Electron of the tests has not been fetched ("npm test" does it).';
  const missing = whyNoDisplay();
  return missing === null ? null : `The desktop app can't be tested, because ${missing}.`;
}

type Addresses = { connectUrl: string; consoleUrl: string };

/** One start of the app. */
export type Running = {
  app: ElectronApplication;
  window: Page;
  /** Resolves with its address when the window shows the console of a ready server. */
  consoleShown(): Promise<URL>;
  /** The address of the app's own server, once it answers. */
  addresses(): Promise<Addresses>;
  /** The exit code of the app's process; null if a signal ended it. */
  ended: Promise<number | null>;
};

/** A screen and a data folder, for consecutive starts of the app. */
export type Desktop = {
  readonly dataDir: string;
  /** @param words arguments after the app itself */
  start(words?: readonly string[]): Promise<Running>;
  /** Starts a second app; resolves with the exit code. */
  startBeside(): Promise<number | null>;
  /** Process IDs of the servers on this data. */
  serverPids(): number[];
  /** Ends all processes and removes the data. */
  close(): Promise<void>;
};

export async function openDesktop(): Promise<Desktop> {
  const display = await openDisplay();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'gatehouse-desktop-'));
  // The same ports for each start, as on an operator's machine. Chosen beforehand, because the line that prints them
  // may appear while the driver is still attaching.
  const [port, consolePort] = (await freePorts(2)).map(String) as [string, string];
  const env = {
    ...settings(dataDir, display.name),
    GATEHOUSE_PORT: port,
    GATEHOUSE_CONSOLE_PORT: consolePort,
  };
  const at = (p: string): string => `http://127.0.0.1:${p}`;
  let running: ElectronApplication | undefined;
  /** Stored at the start, because the driver forgets the process of an app that has quit. */
  let child: ChildProcess | undefined;
  return {
    dataDir,
    async start(words = []) {
      const app = await _electron.launch({
        executablePath: PROGRAM,
        args: [...ARGS, ROOT, ...words],
        env,
        timeout: READY_TIMEOUT_MS,
      });
      const started = app.process();
      [running, child] = [app, started];
      // The test runner's own limit of a test does not reach this driver, which has one of 30 s per action.
      app.context().setDefaultTimeout(READY_TIMEOUT_MS);
      const ended = new Promise<number | null>((resolve) => started.once('exit', resolve));
      const window = await app.firstWindow({ timeout: READY_TIMEOUT_MS });
      return {
        app,
        window,
        ended,
        async addresses() {
          await untilAnswering(at(port));
          return { connectUrl: at(port), consoleUrl: at(consolePort) };
        },
        async consoleShown() {
          await window.waitForURL(/^http:\/\/127\.0\.0\.1:/, { timeout: READY_TIMEOUT_MS });
          return new URL(window.url());
        },
      };
    },
    startBeside: () =>
      new Promise((resolve) => {
        spawn(PROGRAM, [...ARGS, ROOT], { env, stdio: 'ignore' }).once('exit', resolve);
      }),
    serverPids: () => serversOn(dataDir),
    async close() {
      // A kiosk that a failed test left held refuses to quit.
      const hung = setTimeout(() => child?.kill('SIGKILL'), QUIT_TIMEOUT_MS);
      await running?.close().catch(() => undefined);
      clearTimeout(hung);
      await display.close();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** @throws if it is silent for too long */
async function untilAnswering(url: string): Promise<void> {
  const deadlineMs = Date.now() + READY_TIMEOUT_MS;
  const doesAnswer = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await doesAnswer())) {
    if (Date.now() > deadlineMs) throw new Error(`Nobody answers at ${url}.`);
    await sleep(LOOK_MS);
  }
}

/** A developer's own settings must not affect tests; the location of models may. */
export function settings(dataDir: string, display: string): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (!entry[0].startsWith('GATEHOUSE_') || entry[0] === 'GATEHOUSE_CACHE_DIR'),
  );
  return {
    ...Object.fromEntries(kept),
    DISPLAY: display,
    // Without a server, the window's messages are in the system's language.
    LANGUAGE: 'en',
    LC_ALL: 'C.UTF-8',
    GATEHOUSE_DATA_DIR: dataDir,
    // Rendered people come back with the very face of their one photo.
    GATEHOUSE_REPLAY_FACES: '0',
    GATEHOUSE_PORT: '0',
    GATEHOUSE_CONSOLE_PORT: '0',
    GATEHOUSE_LOG_LEVEL: 'warn',
    GATEHOUSE_SERVER_NODE: process.execPath,
  };
}

/** The servers that were started on this data. Linux only, like the tests' Electron. */
export function serversOn(dataDir: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => procText(pid, 'cmdline').includes('dist/server/embedded.js'))
    .filter((pid) => procText(pid, 'environ').includes(`GATEHOUSE_DATA_DIR=${dataDir}\0`))
    .map(Number);
}

/** Empty for a process that has ended meanwhile. */
function procText(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
