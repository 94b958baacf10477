/**
 * Uploads of frames that no page would make: bodies broken anywhere, pictures bent or made to cost, senders that hang up.
 * Never an answer that is not documented, never a hang, and the server is whole after. `GATEHOUSE_FUZZ_SEED`
 * runs others.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { expect } from '@playwright/test';
import fc from 'fast-check';
import { CAPTURE_LIMITS } from '../../server/contract/flow.ts';
import { sized } from '../../testing/tier.ts';
import { fresh, openVenue, test, type Venue } from '../conformance/support.ts';
import type { Run } from '../support/run.ts';
import { createSender, fault, type Answer, type Sender } from './exchange.ts';
import { brokenUpload, bytesOf, type Upload, wholeUpload } from './multipart.ts';
import { anyFrame, plainJpeg } from './pictures.ts';

const SEED = Number(process.env['GATEHOUSE_FUZZ_SEED'] ?? 20_250_301);
/** Uploads of one round, sent at once, each to a run of its own. */
const AT_ONCE = 8;
/** Every frame of a round may have to wait for those before it, on a machine that does much else. */
const HANG_MS = 90_000;
/** Of the server, for pictures that claim to be huge. */
const MOST_BYTES_MORE = 512 * 2 ** 20;

/**
 * Decisions §6 for the upload; 503 where the engine has no hand free, which a caller is told by name; 408 where a machine
 * with much else to do has not read a body within the half minute that a sender has.
 */
const STATUSES = new Set([200, 408, 409, 413, 415, 422, 503]);
/** Senders that hang up; a multiple of a round. */
const HANG_UPS = sized(16, 96);
const ENGINE = /"detail":"engine_(busy|failed)"/;

let venue: Venue;
let sender: Sender;
const runs: (Run | undefined)[] = [];
test.beforeAll(async ({ gatehouse }) => {
  venue = await openVenue(gatehouse, 'Fuzzed captures');
  sender = createSender(gatehouse.baseUrl, AT_ONCE, HANG_MS);
});
test.afterAll(() => sender.close());
test.describe.configure({ timeout: 3 * HANG_MS });

/** A run that waits for a capture, and its nonce; a new run where the last one has come to its end. */
async function waiting(place: number): Promise<{ run: Run; nonce: string }> {
  const before = runs[place];
  if (before) {
    const again = await before.challenge().catch(() => null);
    if (again) return { run: before, nonce: again.nonce };
  }
  const run = await venue.begin();
  runs[place] = run;
  return { run, nonce: (await run.challenge()).nonce };
}

async function upload(one: Upload, place: number): Promise<Answer> {
  const { run, nonce } = await waiting(place);
  return sender.send({
    method: 'POST',
    path: `/flow/sessions/${run.sessionId}/capture`,
    headers: { 'x-flow-token': run.flowToken, 'content-type': one.contentType },
    body: bytesOf(one, nonce),
  });
}

function faultOf(answer: Answer): string | null {
  if (answer.status === 503 && !ENGINE.test(answer.text)) return `an unexplained 503: ${answer.text}`;
  return fault(answer, 'POST', STATUSES);
}

/** Sends uploads in rounds and checks each answer. @returns the details of the answers, and of none `taken` */
async function fuzz(uploads: fc.Arbitrary<Upload>, count: number): Promise<Set<string>> {
  const details = new Set<string>();
  const drawn = fc.sample(uploads, { seed: SEED, numRuns: count });
  for (let first = 0; first < drawn.length; first += AT_ONCE) {
    const round = drawn.slice(first, first + AT_ONCE);
    const faults = await Promise.all(
      round.map(async (one, place) => {
        const found = await upload(one, place).then(
          (answer) => {
            details.add(detailOf(answer));
            return faultOf(answer);
          },
          (error: unknown) => String(error),
        );
        return found === null ? [] : [`${first + place}: ${found} for ${shown(one)}`];
      }),
    );
    expect(faults.flat()).toEqual([]);
  }
  return details;
}

function detailOf({ text }: Answer): string {
  const { detail = 'taken' } = JSON.parse(text) as { detail?: unknown };
  return typeof detail === 'string' ? detail : 'findings';
}

const shown = (one: Upload): string =>
  `${one.contentType.slice(0, 100)} ${JSON.stringify(bytesOf(one, 'nonce').toString('latin1').slice(0, 300))}`;

test('bodies that are broken: the documented refusals', async () => {
  const details = await fuzz(brokenUpload, sized(80, 304));
  expect([...details]).toEqual(expect.arrayContaining(['capture_incomplete', 'unreadable_frame']));
});

test('uploads of bent, costly and foreign pictures: pixels or a refusal, in bounded memory', async () => {
  const peakBytes = () => {
    const line = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${venue.gatehouse.pid}/status`, 'utf8'));
    return Number(line?.[1]) * 1_024;
  };
  const before = peakBytes();
  const frames = fc.array(await anyFrame(), { minLength: 1, maxLength: 4 });
  const details = await fuzz(frames.map(wholeUpload), sized(40, 120));
  expect([...details]).toEqual(expect.arrayContaining(['unreadable_frame', 'frame_too_large', 'taken']));
  expect(peakBytes() - before).toBeLessThan(MOST_BYTES_MORE);
});

test('more frames, or more bytes, than a capture may have', async () => {
  const jpeg = await plainJpeg();
  const tooMany = await upload(wholeUpload(Array<Buffer>(CAPTURE_LIMITS.maxFrames + 1).fill(jpeg)), 0);
  expect(tooMany).toMatchObject({ status: 413, text: expect.stringContaining('too_many_frames') });
  const large = Buffer.concat([jpeg, Buffer.alloc(CAPTURE_LIMITS.maxFrameBytes - jpeg.length)]);
  const count = Math.ceil(CAPTURE_LIMITS.maxTotalBytes / large.length) + 1;
  const tooLarge = await upload(wholeUpload(Array<Buffer>(count).fill(large)), 0);
  expect(tooLarge).toMatchObject({ status: 413 });
});

test('senders that hang up in the middle: their runs wait on, for the same challenge', async () => {
  const jpeg = await plainJpeg();
  const { hostname, port } = new URL(venue.baseUrl);
  const hangUp = async (place: number, share: number, isChunked: boolean): Promise<void> => {
    const { run, nonce } = await waiting(place);
    const body = bytesOf(wholeUpload([jpeg, jpeg]), nonce);
    const sent = body.subarray(0, Math.floor(share * body.length));
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    const framing = isChunked ? 'transfer-encoding: chunked' : `content-length: ${body.length}`;
    socket.write(
      `POST /flow/sessions/${run.sessionId}/capture HTTP/1.1\r\nhost: ${hostname}\r\nx-flow-token: ${run.flowToken}\r\n` +
        `content-type: ${wholeUpload([]).contentType}\r\n${framing}\r\n\r\n`,
    );
    if (isChunked) socket.write(`${sent.length.toString(16)}\r\n`);
    await new Promise((resolve) => socket.write(sent, resolve));
    socket.destroy();
    await once(socket, 'close');
    expect((await run.snapshot()).state).toBe('open');
  };
  for (let round = 0; round < HANG_UPS / AT_ONCE; round++) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, place) =>
        hangUp(place, (round + 0.5) / (HANG_UPS / AT_ONCE), place % 2 === 0),
      ),
    );
  }
});

test('after all of it a capture is judged, a run settles, and nothing failed that should not', async () => {
  const judged = await upload(wholeUpload([await plainJpeg()]), AT_ONCE);
  expect(judged).toMatchObject({ status: 200 });
  expect((await venue.settle(fresh('face'))).confirmation).toMatchObject({ verified: true });
  expect((await venue.call('/readyz', { key: null })).status).toBe(200);
  expect(venue.gatehouse.log()).not.toMatch(/request failed|"level":(50|60)/);
});
