/** Callers are told when a thread dies or hangs, and the next request starts another. */
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createIndexThread, IndexLostError, type IndexWorker } from './index-thread.ts';
import type { IndexRequest } from './index-protocol.ts';

const ANSWER_TIMEOUT_MS = 1_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Answers or not, as the test decides. */
class ScriptedThread extends EventEmitter {
  answers = true;
  ref = vi.fn();
  unref = vi.fn();
  postMessage({ id }: IndexRequest): void {
    if (this.answers) setImmediate(() => this.emit('message', { id, enrolled: 0, bytes: 0, people: [] }));
  }
  terminated = false;
  async terminate(): Promise<number> {
    if (!this.terminated) setImmediate(() => this.emit('exit', 1));
    this.terminated = true;
    return 1;
  }
}

const search = { kind: 'search', partition: 's', probe: new Float32Array(4), floor: 0 } as const;

function scripted() {
  const threads: ScriptedThread[] = [];
  const thread = createIndexThread(
    { embeddingLength: 4 },
    {
      answerTimeoutMs: ANSWER_TIMEOUT_MS,
      spawn() {
        const made = new ScriptedThread();
        threads.push(made);
        return made as unknown as IndexWorker;
      },
    },
  );
  return { thread, threads };
}

it('one that hangs is ended, and all waiting callers are told', async () => {
  const { thread, threads } = scripted();
  await thread.ask(search);
  threads[0]!.answers = false;
  const asked = Promise.allSettled([thread.ask(search), thread.ask(search)]);
  vi.advanceTimersByTime(ANSWER_TIMEOUT_MS);
  const both = await asked;
  for (const end of both) expect(end).toMatchObject({ reason: expect.any(IndexLostError) as Error });
  expect(thread.generation).toBe(1);
  expect(await thread.ask(search)).toMatchObject({ people: [] });
  expect(threads).toHaveLength(2);
  await thread.close();
});

it('one that answers is left alone, however long ago it got its requests', async () => {
  const { thread, threads } = scripted();
  await thread.ask(search);
  vi.advanceTimersByTime(10 * ANSWER_TIMEOUT_MS);
  expect(await thread.ask(search)).toMatchObject({ people: [] });
  expect(threads).toHaveLength(1);
  expect(threads[0]!.terminated).toBe(false);
  await thread.close();
});
