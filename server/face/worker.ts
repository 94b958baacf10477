/** A worker thread of the face engine: opens the models once, then turns frames into evidence one at a time. */
import { parentPort, workerData } from 'node:worker_threads';
import sharp from 'sharp';
import { FaceEngineError } from './errors.ts';
import { openPipeline, type FramePipeline } from './pipeline.ts';
import type { FrameRequest, WorkerReply, WorkerSetup } from './protocol.ts';

const port = parentPort;
if (port === null) throw new Error('server/face/worker.ts runs as a worker thread only');

// Frames are distributed over workers; threads and caches inside one decode would only compete with them.
sharp.concurrency(1);
sharp.cache(false);

const setup = workerData as WorkerSetup;

function reply(message: WorkerReply, transfer: ArrayBuffer[] = []): void {
  port?.postMessage(message, transfer);
}

async function open(): Promise<FramePipeline | null> {
  try {
    reply({ kind: 'starting', stage: 'loaded' });
    const pipeline = await openPipeline(setup.manifests, setup.modelDir);
    reply({ kind: 'starting', stage: 'opened' });
    await pipeline.rehearse();
    return pipeline;
  } catch (error) {
    reply({ kind: 'start_failed', message: error instanceof Error ? error.message : String(error) });
    return null;
  }
}

/** Anything except an unreadable frame is a bug: it ends the thread, and the engine starts another. */
async function answer(pipeline: FramePipeline, { id, bytes, purpose }: FrameRequest): Promise<void> {
  try {
    const evidence = await pipeline.analyse(bytes, purpose);
    const numbers = [evidence.fingerprint, evidence.face?.landmarks, evidence.embedding];
    reply(
      { kind: 'evidence', id, evidence },
      numbers.flatMap((array) => (array?.buffer instanceof ArrayBuffer ? [array.buffer] : [])),
    );
  } catch (error) {
    if (!(error instanceof FaceEngineError) || error.code !== 'unreadable_frame') throw error;
    reply({ kind: 'unreadable', id, message: error.message });
  }
}

const pipeline = await open();
if (pipeline !== null) {
  port.on('message', (request: FrameRequest) => void answer(pipeline, request));
  reply({ kind: 'ready' });
}
