import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createSupervisor,
  doesAnswer,
  restartDelayMs,
  type ServerProcess,
  type ServerState,
  STEADY_MS,
} from './supervisor.ts';
import type { ServerAddresses, StartStage } from './ready-line.ts';

const ADDRESSES: ServerAddresses = { baseUrl: 'http://a', connectUrl: 'http://a', consoleUrl: 'http://c' };

/** A process that the test controls. */
function fakeProcess() {
  let ready: (addresses: ServerAddresses) => void = () => undefined;
  let exit: (exit: { reason: string | null }) => void = () => undefined;
  const asked: string[] = [];
  let reach: (stage: StartStage) => void = () => undefined;
  const process: ServerProcess = {
    onStage: (listener) => (reach = listener),
    onAddresses: (listener) => (ready = listener),
    onExit: (listener) => (exit = listener),
    stop: () => asked.push('stop'),
    kill: () => asked.push('kill'),
  };
  return {
    process,
    asked,
    reach: (stage: StartStage) => reach(stage),
    getReady: (addresses = ADDRESSES) => ready(addresses),
    die: (reason: string | null = null) => exit({ reason }),
  };
}

function setUp() {
  const launched: ReturnType<typeof fakeProcess>[] = [];
  const states: ServerState[] = [];
  const supervisor = createSupervisor({
    launch: () => {
      const fake = fakeProcess();
      launched.push(fake);
      return fake.process;
    },
    changed: (state) => states.push(state),
  });
  supervisor.start();
  return { supervisor, launched, states, last: () => launched.at(-1)! };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('the supervisor', () => {
  it('reports the addresses when the server is ready', () => {
    const { last, states } = setUp();
    last().getReady();
    expect(states).toEqual([{ kind: 'starting' }, { kind: 'ready', addresses: ADDRESSES }]);
  });

  it('reports a new base URL of the running server', () => {
    const { last, states } = setUp();
    last().getReady();
    const moved = { ...ADDRESSES, baseUrl: 'https://venue' };
    last().getReady(moved);
    expect(states.slice(1)).toEqual([
      { kind: 'ready', addresses: ADDRESSES },
      { kind: 'ready', addresses: moved },
    ]);
  });

  it('says why a server never became ready, tries a few times automatically, then only on request', () => {
    const { supervisor, launched, last, states } = setUp();
    for (const starts of [1, 2, 3, 4]) {
      expect(launched).toHaveLength(starts);
      last().die('Port 4180 is in use.');
      expect(states.at(-1)).toEqual({ kind: 'failed', reason: 'Port 4180 is in use.' });
      vi.advanceTimersByTime(STEADY_MS);
    }
    expect(launched).toHaveLength(4);
    supervisor.start();
    expect(launched).toHaveLength(5);
  });

  it('finds the port free once the server of a killed app has finished', () => {
    const { launched, last, states } = setUp();
    last().die('Port 4180 is in use.');
    vi.advanceTimersByTime(4_000);
    last().getReady();
    expect(states.at(-1)).toEqual({ kind: 'ready', addresses: ADDRESSES });
    last().die();
    expect(states.at(-1)).toMatchObject({ kind: 'restarting', retryInMs: restartDelayMs(1) });
    expect(launched).toHaveLength(2);
  });

  it('restarts a server that died, waiting longer each time', () => {
    const { launched, last, states } = setUp();
    last().getReady();
    for (const failures of [1, 2, 3]) {
      last().die();
      expect(states.at(-1)).toEqual({
        kind: 'restarting',
        reason: null,
        retryInMs: restartDelayMs(failures),
      });
      vi.advanceTimersByTime(restartDelayMs(failures) - 1);
      expect(launched).toHaveLength(failures);
      vi.advanceTimersByTime(1);
      expect(launched).toHaveLength(failures + 1);
    }
  });

  it('waits briefly again after a stable run', () => {
    const { last, states } = setUp();
    last().getReady();
    last().die();
    vi.advanceTimersByTime(restartDelayMs(1));
    last().getReady();
    vi.advanceTimersByTime(STEADY_MS);
    last().die();
    expect(states.at(-1)).toMatchObject({ retryInMs: restartDelayMs(1) });
  });

  it('never waits longer than half a minute', () => {
    expect(restartDelayMs(50)).toBe(30_000);
  });

  it('kills a server that hangs at its start', () => {
    const { last } = setUp();
    vi.advanceTimersByTime(150_000);
    expect(last().asked).toEqual(['kill']);
  });

  it('waits for one that makes progress, however slowly, and reports the stage', () => {
    const { last, states } = setUp();
    for (const stage of ['loaded', 'loaded', 'opened', 'loaded', 'opened'] as const) {
      vi.advanceTimersByTime(149_999);
      last().reach(stage);
    }
    vi.advanceTimersByTime(149_999);
    last().getReady();
    last().reach('opened');
    vi.advanceTimersByTime(300_000);
    expect(last().asked).toEqual([]);
    expect(states).toEqual([
      { kind: 'starting' },
      { kind: 'starting', stage: 'loaded' },
      { kind: 'starting', stage: 'opened' },
      { kind: 'ready', addresses: ADDRESSES },
    ]);
  });

  it('replaces a server that no longer answers', () => {
    const { supervisor, launched, last } = setUp();
    last().getReady();
    supervisor.replace();
    expect(last().asked).toEqual(['kill']);
    last().die();
    vi.advanceTimersByTime(restartDelayMs(1));
    expect(launched).toHaveLength(2);
  });

  it('drains on shutdown, and starts nothing afterwards', async () => {
    const { supervisor, launched, last } = setUp();
    last().getReady();
    const stopped = supervisor.stop();
    expect(last().asked).toEqual(['stop']);
    last().die();
    await stopped;
    supervisor.start();
    vi.advanceTimersByTime(STEADY_MS);
    expect(launched).toHaveLength(1);
  });

  it('kills a server that does not drain', async () => {
    const { supervisor, last } = setUp();
    last().getReady();
    const stopped = supervisor.stop();
    vi.advanceTimersByTime(15_000);
    expect(last().asked).toEqual(['stop', 'kill']);
    last().die();
    await stopped;
  });

  it('stops during the wait for a restart', async () => {
    const { supervisor, launched, last } = setUp();
    last().getReady();
    last().die();
    await supervisor.stop();
    vi.advanceTimersByTime(STEADY_MS);
    expect(launched).toHaveLength(1);
  });
});

const SHORT_MS = 100;

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/healthz`;
}

it('a service that answers is not restarted', async () => {
  expect(await doesAnswer(await serve((_request, response) => response.end()))).toBe(true);
});

it('a service that does not answer immediately gets a second chance', async () => {
  let calls = 0;
  const url = await serve((request, response) => {
    calls += 1;
    // Disconnects instead of waiting, because the result after a short wait would depend on how busy the machine is.
    if (calls > 1) response.end();
    else request.destroy();
  });
  expect(await doesAnswer(url)).toBe(true);
  expect(calls).toBe(2);
});

it('a service that hangs does not answer', async () => {
  expect(await doesAnswer(await serve(() => undefined), SHORT_MS)).toBe(false);
});

it('a service that is gone or has problems does not answer', async () => {
  expect(await doesAnswer(await serve((_request, response) => response.writeHead(500).end()))).toBe(false);
  expect(await doesAnswer('http://127.0.0.1:1/healthz')).toBe(false);
});
