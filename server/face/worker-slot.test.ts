/** The start of a thread: the slot waits while it makes progress, and gives up when it stalls. */
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { WorkerReply } from './protocol.ts';
import {
  createWorkerSlot,
  type EngineEvent,
  type EngineWorker,
  START_STAGE_TIMEOUT_MS,
} from './worker-slot.ts';

class SlowThread extends EventEmitter {
  terminated = false;
  postMessage(): void {
    throw new Error('No frame is given before the start is over.');
  }
  say(message: WorkerReply): void {
    this.emit('message', message);
  }
  async terminate(): Promise<number> {
    this.terminated = true;
    return 0;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function starting() {
  const threads: SlowThread[] = [];
  const events: EngineEvent[] = [];
  const slot = createWorkerSlot({
    number: 0,
    spawn() {
      const thread = new SlowThread();
      threads.push(thread);
      return thread as unknown as EngineWorker;
    },
    frameTimeoutMs: 1_000,
    endGraceMs: 1_000,
    onEvent: (event) => events.push(event),
    onIdle: () => undefined,
    onLost: () => undefined,
  });
  slot.start();
  return { slot, threads, events };
}

it('a start that makes progress, however slowly, is waited for, and reports its stage', async () => {
  const { slot, threads, events } = starting();
  const stages: WorkerReply[] = [
    { kind: 'starting', stage: 'loaded' },
    { kind: 'starting', stage: 'opened' },
    { kind: 'ready' },
  ];
  for (const stage of stages) {
    await vi.advanceTimersByTimeAsync(START_STAGE_TIMEOUT_MS - 1);
    threads[0]!.say(stage);
  }
  await expect(slot.started).resolves.toBeUndefined();
  expect(threads).toHaveLength(1);
  expect(events).toMatchObject([{ stage: 'loaded' }, { stage: 'opened' }, { type: 'worker_ready' }]);
  await slot.close();
});

it('a start that stalls is given up, and another thread begins', async () => {
  const { slot, threads } = starting();
  threads[0]!.say({ kind: 'starting', stage: 'loaded' });
  const refused = expect(slot.started).rejects.toMatchObject({ code: 'worker_died' });
  await vi.advanceTimersByTimeAsync(START_STAGE_TIMEOUT_MS);
  await refused;
  await vi.advanceTimersByTimeAsync(1);
  expect(threads).toHaveLength(2);
  threads[1]!.say({ kind: 'ready' });
  expect(slot.state).toBe('idle');
  await slot.close();
});

it('closing does not interrupt a start between its stages, because the models are running then', async () => {
  const { slot, threads } = starting();
  const closed = slot.close();
  threads[0]!.say({ kind: 'starting', stage: 'opened' });
  await vi.advanceTimersByTimeAsync(1);
  expect(threads[0]!.terminated).toBe(false);
  threads[0]!.say({ kind: 'ready' });
  await closed;
  expect(threads[0]!.terminated).toBe(true);
});
