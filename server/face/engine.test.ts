/** Life cycle of the engine: workers that die or hang, overload, aborts, closing. */
import { EventEmitter, once } from 'node:events';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { MANIFEST_DIR, modelsDir } from '../../scripts/assets/paths.ts';
import { testPhoto } from '../../scripts/assets/testing/samples.ts';
import type { FrameEvidence } from '../domain/capture/evidence.ts';
import { createFaceEngine, defaultWorkers, type FaceEngine, type FaceEngineOptions } from './engine.ts';
import type { FrameRequest, WorkerReply } from './protocol.ts';
import { restartDelayMs, type EngineEvent, type EngineWorker } from './worker-slot.ts';

const PLACES = { modelDir: modelsDir(), manifestDir: MANIFEST_DIR };

/** A thread that the test controls. Without a command it only becomes ready. */
class ScriptedWorker extends EventEmitter {
  readonly requests: FrameRequest[] = [];
  terminated = false;
  readonly onRequest: (worker: ScriptedWorker, request: FrameRequest) => void;

  constructor(onRequest: (worker: ScriptedWorker, request: FrameRequest) => void, first: WorkerReply) {
    super();
    this.onRequest = onRequest;
    setImmediate(() => this.emit('message', first));
  }
  postMessage(request: FrameRequest): void {
    this.requests.push(request);
    this.onRequest(this, request);
  }
  answer({ id, bytes }: FrameRequest): void {
    const evidence = { sha256: String(bytes[0]) } as FrameEvidence;
    setImmediate(() => this.emit('message', { kind: 'evidence', id, evidence } satisfies WorkerReply));
  }
  async terminate(): Promise<number> {
    this.terminated = true;
    return 0;
  }
}

const frame = (name: number) => new Uint8Array([name]);
const silent = () => undefined;

describe('the face engine', () => {
  let engine: FaceEngine | undefined;
  const events: EngineEvent[] = [];

  const create = async (options: Partial<FaceEngineOptions> = {}) => {
    events.length = 0;
    engine = await createFaceEngine({ ...PLACES, onEvent: (event) => events.push(event), ...options });
    return engine;
  };
  const createScripted = async (
    onRequest: (worker: ScriptedWorker, request: FrameRequest) => void,
    options: Partial<FaceEngineOptions> = {},
  ) => {
    const workers: ScriptedWorker[] = [];
    const spawnWorker = () => {
      const worker = new ScriptedWorker(onRequest, { kind: 'ready' });
      workers.push(worker);
      return worker as unknown as EngineWorker;
    };
    return { engine: await create({ workers: 1, ...options, spawnWorker }), workers };
  };

  afterEach(async () => {
    await engine?.close();
    engine = undefined;
  });

  it('uses both cores of two, and leaves one free from three on', () => {
    expect([1, 2, 3, 4, 64].map((cores) => defaultWorkers(cores))).toEqual([1, 2, 2, 3, 8]);
  });

  describe('with its models', () => {
    it('returns evidence in the order of the frames and does not modify them', async () => {
      const made = await create({ workers: 2 });
      const frames = await Promise.all(([5, 2, 6] as const).map((photo) => testPhoto(photo)));
      const lengths = frames.map(({ length }) => length);
      const evidence = await made.analyse(frames);
      expect(evidence.map(({ faceCount }) => faceCount)).toEqual([5, 3, 4]);
      expect(evidence.every(({ embedding }) => embedding?.length === made.embeddingLength)).toBe(true);
      expect(frames.map(({ length }) => length)).toEqual(lengths);
      expect(made).toMatchObject({
        embeddingModel: 'fr_feature@0.0.1',
        thresholds: { samePerson: 0.55, near: 0.45, genuine: 0.5 },
      });
      expect(made.stats()).toMatchObject({ busy: 0, queuedFrames: 0, restarts: 0 });
      expect(await made.analyse([])).toEqual([]);
    });

    it('names the frame that cannot be read', async () => {
      const made = await create({ workers: 1 });
      const photo = await testPhoto(5);
      await expect(made.analyse([photo, new Uint8Array(9), photo])).rejects.toMatchObject({
        code: 'unreadable_frame',
        frameIndex: 1,
      });
      expect(await made.analyse([photo])).toHaveLength(1);
      expect(made.stats().restarts).toBe(0);
    });

    it('replaces a worker that dies and rejects its frame with worker_died', async () => {
      const threads: Worker[] = [];
      const made = await create({
        workers: 1,
        spawnWorker(workerData) {
          const thread = new Worker(new URL('./worker.ts', import.meta.url), { workerData });
          threads.push(thread);
          return thread;
        },
      });
      const photo = await testPhoto(5);
      const answer = made.analyse([photo, photo]);
      await threads[0]!.terminate();
      await expect(answer).rejects.toMatchObject({ code: 'worker_died', frameIndex: 0 });
      expect(await made.analyse([photo])).toHaveLength(1);
      expect(threads).toHaveLength(2);
      expect(made.stats()).toMatchObject({ workers: 1, restarts: 1 });
      const lives = events.map(({ type }) => type).filter((type) => type !== 'worker_starting');
      expect(lives).toEqual(['worker_ready', 'worker_lost', 'worker_ready', 'frame_analysed']);
    });
  });

  describe('does not start', () => {
    const missing = { code: 'models_missing' };

    it('without manifests or models', async () => {
      await expect(createFaceEngine({ ...PLACES, manifestDir: '/nowhere' })).rejects.toMatchObject(missing);
      await expect(createFaceEngine({ ...PLACES, modelDir: '/nowhere' })).rejects.toThrow(/npm run assets/);
    });

    it('with a damaged model', async () => {
      const modelDir = await mkdtemp(join(tmpdir(), 'gatehouse-models-'));
      try {
        for (const name of ['fr_detect', 'fr_landmark', 'fr_feature']) {
          await copyFile(join(PLACES.modelDir, `${name}.onnx`), join(modelDir, `${name}.onnx`));
        }
        await writeFile(join(modelDir, 'fr_liveness.onnx'), 'damaged');
        await expect(createFaceEngine({ ...PLACES, modelDir })).rejects.toMatchObject({
          ...missing,
          message: expect.stringMatching(/fr_liveness\.onnx differs from its manifest/) as string,
        });
      } finally {
        await rm(modelDir, { recursive: true });
      }
    });

    it('if a worker cannot open them', async () => {
      const spawnWorker = () =>
        new ScriptedWorker(silent, {
          kind: 'start_failed',
          message: 'no such output',
        }) as unknown as EngineWorker;
      await expect(create({ workers: 1, spawnWorker })).rejects.toMatchObject({
        ...missing,
        message: 'no such output',
      });
    });
  });

  it('alternates between the frames of two captures', async () => {
    const { engine: made, workers } = await createScripted((worker, request) => worker.answer(request));
    await Promise.all([made.analyse([frame(11), frame(12), frame(13)]), made.analyse([frame(21)])]);
    expect(workers[0]!.requests.map(({ bytes }) => bytes[0])).toEqual([11, 12, 21, 13]);
  });

  it('starts with one thread, and adds another when a frame has to wait', async () => {
    const { engine: made, workers } = await createScripted(silent, { workers: 2, endGraceMs: 10 });
    expect(made.stats()).toMatchObject({ workers: 1, busy: 0 });
    const ends = [made.analyse([frame(1)])];
    expect(workers).toHaveLength(1);
    ends.push(made.analyse([frame(2)]), made.analyse([frame(3)]));
    await expect.poll(() => made.stats()).toMatchObject({ workers: 2, busy: 2, queuedFrames: 1 });
    expect(workers).toHaveLength(2);
    const settled = Promise.allSettled(ends);
    await made.close();
    await settled;
  });

  it('starts one thread at a time, however many frames wait, and ends all but the first when they have nothing to do', async () => {
    const workers: (EventEmitter & Partial<ScriptedWorker>)[] = [];
    const made = await create({
      workers: 4,
      idleMs: 20,
      endGraceMs: 10,
      spawnWorker() {
        // The first is ready at once, the others when the test says so.
        const worker =
          workers.length === 0
            ? new ScriptedWorker((thread, request) => thread.answer(request), { kind: 'ready' })
            : Object.assign(new EventEmitter(), {
                terminated: false,
                postMessage: silent,
                terminate() {
                  this.terminated = true;
                },
              });
        workers.push(worker as ScriptedWorker);
        return worker as unknown as EngineWorker;
      },
    });
    await made.analyse(Array.from({ length: 8 }, (_, n) => frame(n)));
    expect(workers).toHaveLength(2);
    workers[1]!.emit('message', { kind: 'ready' } satisfies WorkerReply);
    expect(made.stats().workers).toBe(2);
    await expect.poll(() => workers.map(({ terminated }) => terminated)).toEqual([false, true]);
    expect(made.stats()).toMatchObject({ workers: 1, restarts: 0 });
    await made.analyse([frame(1), frame(2)]);
    expect(workers).toHaveLength(3);
  });

  it('refuses as busy what would exceed the limit, and says when to retry', async () => {
    const { engine: made, workers } = await createScripted(silent, { maxQueuedFrames: 3, endGraceMs: 10 });
    const first = made.analyse([frame(1), frame(2), frame(3)]);
    const refusal = made.analyse([frame(4), frame(5)]);
    await expect(refusal).rejects.toMatchObject({ code: 'busy', retryAfterS: 1 });
    expect(made.stats()).toMatchObject({ busy: 1, queuedFrames: 2 });
    const fits = made.analyse([frame(6)]);
    expect(made.stats().queuedFrames).toBe(3);
    const ends = Promise.allSettled([first, fits]);
    await made.close();
    for (const end of await ends) expect(end).toMatchObject({ reason: { code: 'closed' } });
    expect(workers[0]!.terminated).toBe(true);
  });

  it('closing lets a thread finish the frame that its models are processing', async () => {
    const { engine: made, workers } = await createScripted(silent);
    const refused = expect(made.analyse([frame(1)])).rejects.toMatchObject({ code: 'closed' });
    const closed = made.close();
    await refused;
    const [worker] = workers;
    expect(worker!.terminated).toBe(false);
    worker!.answer(worker!.requests[0]!);
    await closed;
    expect(worker!.terminated).toBe(true);
  });

  it('ends a worker that hangs, and starts another', async () => {
    const { engine: made, workers } = await createScripted(
      (worker, request) => {
        if (request.bytes[0] !== 0) worker.answer(request);
      },
      { frameTimeoutMs: 400, endGraceMs: 10 },
    );
    await expect(made.analyse([frame(1), frame(0)])).rejects.toMatchObject({
      code: 'timeout',
      frameIndex: 1,
    });
    await expect.poll(() => workers[0]!.terminated).toBe(true);
    expect(await made.analyse([frame(2)])).toEqual([{ sha256: '2' }]);
    expect(workers).toHaveLength(2);
  });

  it('waits increasingly long before it replaces workers that keep dying', () => {
    expect([1, 2, 3, 4, 20].map((losses) => restartDelayMs(losses))).toEqual([0, 250, 500, 1000, 30_000]);
  });

  it('leaves no capture waiting while its workers keep dying, and counts them as lost from the second time on', async () => {
    const { engine: made } = await createScripted((worker) => setImmediate(() => worker.emit('exit', 1)), {
      maxQueuedFrames: 100,
    });
    await expect(made.analyse([frame(1)])).rejects.toMatchObject({ code: 'worker_died' });
    expect(made.stats()).toMatchObject({ workers: 1, restarts: 1 });
    const [inHand, waiting] = [made.analyse([frame(2)]), made.analyse([frame(3)])];
    await expect(inHand).rejects.toMatchObject({ code: 'worker_died' });
    await expect(waiting).rejects.toMatchObject({ code: 'worker_died' });
    expect(made.stats()).toMatchObject({ workers: 0, restarts: 2 });
    await expect(made.analyse([frame(4)])).rejects.toMatchObject({ code: 'busy', retryAfterS: 1 });
  });

  it('leaves no capture waiting while threads that were not needed before die as well', async () => {
    let isFirst = true;
    const spawnWorker = () => {
      const reply: WorkerReply = isFirst
        ? { kind: 'ready' }
        : { kind: 'start_failed', message: 'no such output' };
      isFirst = false;
      return new ScriptedWorker(
        (worker) => setImmediate(() => worker.emit('exit', 1)),
        reply,
      ) as unknown as EngineWorker;
    };
    const made = await create({ workers: 4, spawnWorker });
    for (const end of await Promise.allSettled([made.analyse([frame(1)]), made.analyse([frame(2)])]))
      expect(end).toMatchObject({ reason: { code: 'worker_died' } });
  });

  it('drops the queued frames of an aborted capture, and continues with the others', async () => {
    const { engine: made, workers } = await createScripted(silent);
    const abort = new AbortController();
    const aborted = made.analyse([frame(1), frame(2), frame(3)], abort.signal);
    const other = made.analyse([frame(4)]);
    abort.abort(new Error('the person left'));
    await expect(aborted).rejects.toThrow('the person left');
    expect(made.stats().queuedFrames).toBe(1);
    const [worker] = workers;
    worker!.answer(worker!.requests[0]!);
    await once(worker!, 'message');
    worker!.answer(worker!.requests[1]!);
    expect(await other).toEqual([{ sha256: '4' }]);
    await expect(made.analyse([frame(5)], abort.signal)).rejects.toThrow('the person left');
  });

  it('rejects everything after it was closed', async () => {
    const { engine: made } = await createScripted(silent);
    await made.close();
    await made.close();
    await expect(made.analyse([frame(1)])).rejects.toMatchObject({ code: 'closed' });
    expect(made.stats()).toMatchObject({ workers: 0, busy: 0, queuedFrames: 0 });
  });
});
