/** Keeps the server running: starts it, reports its state, restarts it when it dies, drains it on shutdown. */
import type { ServerAddresses, StartStage } from './ready-line.ts';

/** A started process of any kind. */
export type ServerProcess = {
  /** Its start has reached this stage. */
  onStage(listener: (stage: StartStage) => void): void;
  /** It is ready, or was and its base URL has changed. */
  onAddresses(listener: (addresses: ServerAddresses) => void): void;
  /** `reason`: its last message for people; null if there was none. */
  onExit(listener: (exit: { reason: string | null }) => void): void;
  /** Asks it to drain and exit. */
  stop(): void;
  /** Kills it. */
  kill(): void;
};

export type ServerState =
  | { kind: 'starting'; stage?: StartStage }
  | { kind: 'ready'; addresses: ServerAddresses }
  /** It was ready once and will be again, after `retryInMs`. */
  | { kind: 'restarting'; reason: string | null; retryInMs: number }
  /** It never became ready; after a few tries the cause has to be fixed manually. */
  | { kind: 'failed'; reason: string | null };

type Supervisor = {
  start(): void;
  /** Kills a server that no longer answers; it is restarted like after any crash. */
  replace(): void;
  /** Stops the process without a restart. Resolves when it has exited. */
  stop(): Promise<void>;
};

type SupervisorOptions = {
  launch: () => ServerProcess;
  changed: (state: ServerState) => void;
  /** For tests. */
  now?: () => number;
};

/** After an app was killed, its server finishes its work, up to 10 s, and has the port until then. */
const FIRST_START_RETRIES = 3;
const FIRST_START_RETRY_MS = 4_000;
/** A stage of a start takes seconds. Without progress for this long, it counts as hung; a busy machine needs the margin. */
const STAGE_TIMEOUT_MS = 150_000;
/** The server cuts off remaining work after 10 s; after that it has to be killed. */
const STOP_TIMEOUT_MS = 12_000;

export function createSupervisor({ launch, changed, now = Date.now }: SupervisorOptions): Supervisor {
  let current: ServerProcess | undefined;
  let gone: Promise<void> = Promise.resolve();
  let retry: NodeJS.Timeout | undefined;
  let stopping = false;
  let everReady = false;
  let failures = 0;

  function start(): void {
    if (current || stopping) return;
    clearTimeout(retry);
    changed({ kind: 'starting' });
    const child = launch();
    current = child;
    let readyAt: number | undefined;
    const hung = setTimeout(() => child.kill(), STAGE_TIMEOUT_MS);
    let reached: StartStage | undefined;
    child.onStage((stage) => {
      if (current !== child || readyAt !== undefined) return;
      hung.refresh();
      // A second thread's start adds nothing.
      if (stage === reached || reached === 'opened') return;
      reached = stage;
      changed({ kind: 'starting', stage });
    });
    child.onAddresses((addresses) => {
      clearTimeout(hung);
      readyAt ??= now();
      if (!everReady) failures = 0;
      everReady = true;
      changed({ kind: 'ready', addresses });
    });
    gone = new Promise((resolve) => {
      child.onExit(({ reason }) => {
        clearTimeout(hung);
        current = undefined;
        resolve();
        if (!stopping) ended(reason, readyAt);
      });
    });
  }

  function ended(reason: string | null, readyAt: number | undefined): void {
    if (!everReady) {
      failures += 1;
      changed({ kind: 'failed', reason });
      if (failures <= FIRST_START_RETRIES) retry = setTimeout(start, FIRST_START_RETRY_MS);
      return;
    }
    const wasSteady = readyAt !== undefined && now() - readyAt >= STEADY_MS;
    failures = wasSteady ? 1 : failures + 1;
    const retryInMs = restartDelayMs(failures);
    changed({ kind: 'restarting', reason, retryInMs });
    retry = setTimeout(start, retryInMs);
  }

  return {
    start,
    replace: () => current?.kill(),
    async stop() {
      stopping = true;
      clearTimeout(retry);
      const child = current;
      if (!child) return;
      child.stop();
      const hung = setTimeout(() => child.kill(), STOP_TIMEOUT_MS);
      await gone;
      clearTimeout(hung);
    },
  };
}

/** Delay before the server is restarted. */
const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** A server that ran for this long did not die because of its start. */
export const STEADY_MS = 60_000;

/** @param failures consecutive starts that did not last, from 1 */
export function restartDelayMs(failures: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1));
}

// Whether the service answers. Right after waking everything is slow, so a single failure does not count.

const PROBES = 3;
const PROBE_TIMEOUT_MS = 5_000;

/**
 * @param url an address that answers with 200 while the service is running
 * @returns false after several tries that failed or took too long
 */
export async function doesAnswer(url: string, timeoutMs = PROBE_TIMEOUT_MS): Promise<boolean> {
  for (let probe = 0; probe < PROBES; probe++) {
    try {
      const reply = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
      if (reply.ok) return true;
    } catch {
      // The next try decides.
    }
  }
  return false;
}
