/**
 * Loaded into every thread of a server under test before its own code: a face thread hangs at a frame with the mark.
 */
import { parentPort, threadId } from 'node:worker_threads';

export const HANG_MARK = 'gatehouse-test: hang here';

if (parentPort && threadId > 0) {
  // Registered before the thread's own listener, so it is called first.
  parentPort.on('message', (message: { bytes?: unknown }) => {
    const { bytes } = message;
    if (!(bytes instanceof Uint8Array) || !Buffer.from(bytes).includes(HANG_MARK)) return;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
}
