/**
 * A thread of the face engine hangs during a capture: its guest is told in time, and nobody else is affected; and the
 * server shuts down cleanly with a hanging thread and a slow sender.
 */
import { connect } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';
import { plainJpeg } from '../fuzz/pictures.ts';
import { HANG_MARK } from '../support/service/hang-on-mark.ts';
import { consentedRun, follow, type Run } from '../support/run.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { limitMs } from '../../testing/tier.ts';

const PRELOAD = path.resolve(import.meta.dirname, '../support/service/hang-on-mark.ts');

/** Opening the models takes a third of a second, and longer on a busy machine. */
const REPLACED_MS = limitMs(15_000);

/** A picture without a face, with a comment that the preload looks for. */
async function markedJpeg(): Promise<Buffer> {
  const jpeg = await plainJpeg();
  const text = Buffer.from(HANG_MARK);
  const head = Buffer.from([0xff, 0xfe, 0, text.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, text, jpeg.subarray(2)]);
}

async function busyThreads({ consoleUrl }: Gatehouse): Promise<number> {
  const text = await (await fetch(`${consoleUrl}/metrics`)).text();
  return Number(/^gatehouse_face_workers_busy (\d+)$/m.exec(text)?.[1]);
}

/** A request that is never completed. */
function beginToSend({ baseUrl }: Gatehouse): void {
  const { hostname, port, host } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(
    `POST /v3/initialize HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
  );
}

/**
 * A capture with this picture as its first still, analysed by one thread.
 * @returns the server's last message
 */
const capture = async (run: Run, first: Buffer) => {
  const plain = await plainJpeg();
  return follow(run, {
    react: ({ opens_in_ms: opensMs }) => new Promise((resolve) => setTimeout(resolve, opensMs)),
    show: async ({ id }) => (id === 1 ? first : plain),
  });
};

test('its guest is asked to try again, with as many attempts as before; others are served; shutdown is clean', async () => {
  await using gatehouse = await startGatehouse({
    env: { NODE_OPTIONS: `--import ${pathToFileURL(PRELOAD).href}`, GATEHOUSE_LOG_LEVEL: 'info' },
  });
  /** Whether one of the threads was ready a second time. */
  const isReplaced = () => {
    const ready = [...gatehouse.log().matchAll(/"type":"worker_ready","worker":(\d+)/g)].map(([, n]) => n);
    return new Set(ready).size < ready.length;
  };
  const key = gatehouse.company.keys.sk_test;
  const run = await consentedRun(gatehouse, key);
  const { attempts_left: attempts } = await run.snapshot();
  const hung = capture(run, await markedJpeg());

  const other = await consentedRun(gatehouse, key);
  expect((await other.flow('/test-capture', { face: 'someone' })).body).toMatchObject({ state: 'settled' });
  const third = await consentedRun(gatehouse, key);
  const judged = await capture(third, await plainJpeg());
  expect(judged).toMatchObject({ type: 'verdict', snapshot: { attempts_left: attempts - 1 } });

  expect(await hung).toEqual({ type: 'error', code: 'engine_failed', fatal: true, retry_in_ms: 2_000 });
  expect(await run.snapshot()).toMatchObject({ state: 'open', step: 'capture', attempts_left: attempts });
  expect(await capture(run, await plainJpeg())).toMatchObject({ type: 'verdict' });
  await expect.poll(isReplaced, { timeout: REPLACED_MS }).toBe(true);

  beginToSend(gatehouse);
  const last = await consentedRun(gatehouse, key);
  const unanswered = capture(last, await markedJpeg());
  await expect.poll(() => busyThreads(gatehouse)).toBe(1);
  // Throws if the exit code is not 0.
  await gatehouse.stop();
  expect(await unanswered).toEqual({ type: 'again', reason: 'restarting' });
  expect(gatehouse.log()).toContain('a thread of the face engine was still running when the service stopped');
});
