/**
 * Messages of a capture that no page would send: malformed bodies, corrupted or expensive pictures, senders that
 * disconnect. Never an undocumented answer, never a hang, and the server works afterwards. `GATEHOUSE_FUZZ_SEED` sets
 * the seed.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { expect } from '@playwright/test';
import fc from 'fast-check';
import { CAPTURE_BOUNDS, CaptureAnswers, stillPrefix } from '../../server/contract/capture.ts';
import { compile } from '../../server/services/wire/validation.ts';
import { helloOf, type WirePerson } from '../../testing/camera/capture/exchange-client.ts';
import { sized, limitMs } from '../../testing/tier.ts';
import { fresh, openVenue, test, type Venue } from '../conformance/support.ts';
import { attempt, follow, type Run } from '../support/run.ts';
import { createSender, fault, type Sender, SEED } from './exchange.ts';
import { anyFrame, plainJpeg } from './pictures.ts';

/** Messages of one round, sent at the same time, each to its own run. */
const AT_ONCE = 8;
const CAPTURES_AT_ONCE = 5;
/** Every frame of a round may have to wait for earlier ones, on a busy machine. */
const HANG_MS = limitMs(22_500);
/** Of the server, for pictures that claim to be huge. */
const MOST_BYTES_MORE = 512 * 2 ** 20;
/** 408 if a busy machine has not read a body within the half minute that a sender has. */
const STATUSES = new Set([200, 400, 408, 413, 415, 422]);
/** Senders that disconnect; a multiple of a round. */
const HANG_UPS = sized(16, 96);

const STILL = 'application/octet-stream';
type Message = { contentType: string; body: Buffer };
const checkAnswers = compile(CaptureAnswers, 'body');

let venue: Venue;
let sender: Sender;
const runs: Run[] = [];
test.beforeAll(async ({ gatehouse }) => {
  venue = await openVenue(gatehouse, 'Fuzzed captures');
  sender = createSender(gatehouse.baseUrl, AT_ONCE, HANG_MS);
  for (let place = 0; place < AT_ONCE; place += 1) runs.push(await venue.begin());
});
test.afterAll(() => sender.close());
test.describe.configure({ timeout: 3 * HANG_MS });

const pathOf = (run: Run) => `/flow/sessions/${run.sessionId}/capture/messages`;

const post = (run: Run, { contentType, body }: Message) =>
  sender.send({
    method: 'POST',
    path: pathOf(run),
    headers: { 'x-flow-token': run.flowToken, 'content-type': contentType },
    body,
  });

/** A new capture for each message, because an earlier one may have ended the last. */
async function faultOf(place: number, message: Message): Promise<string | null> {
  const run = runs[place]!;
  await post(run, { contentType: 'application/json', body: Buffer.from(JSON.stringify(helloOf(run))) });
  const answer = await post(run, message);
  const found = fault(answer, 'POST', STATUSES);
  if (found !== null || answer.status !== 200) return found;
  const wrong = checkAnswers(JSON.parse(answer.text));
  return wrong.length === 0 ? null : `not the protocol: ${answer.text}`;
}

const header = (seq: number, request = 1) => Buffer.from(stillPrefix({ type: 'still', request, seq }));

/** Malformed stills and texts, with any content type. */
function brokenMessage(jpeg: Buffer): fc.Arbitrary<Message> {
  const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const still = fc
    .tuple(fc.integer({ min: -2, max: 12 }), fc.integer({ min: 0, max: 3 }))
    .map(([seq, request]) => Buffer.concat([header(seq, request), jpeg]));
  const cut = fc.tuple(still, share).map(([bytes, at]) => bytes.subarray(0, Math.floor(at * bytes.length)));
  const turned = fc.tuple(still, fc.nat(60), fc.nat(255)).map(([bytes, at, value]) => {
    const changed = Buffer.from(bytes);
    changed[at] = value;
    return changed;
  });
  const noise = fc.uint8Array({ maxLength: 3_000 }).map((bytes) => Buffer.from(bytes));
  const tooLarge = fc
    .constantFrom(1, 2_048, 4_096)
    .map((more) => Buffer.alloc(CAPTURE_BOUNDS.maxStillBytes + more));
  const text = fc
    .oneof(
      fc.constantFrom('poll', 'leave', 'hello', 'camera', 'still').map((type) => ({ type })),
      fc.json().map((json): unknown => JSON.parse(json)),
    )
    .map((value) => Buffer.from(JSON.stringify(value)));
  const body = fc.oneof(
    { weight: 2, arbitrary: still },
    { weight: 3, arbitrary: cut },
    { weight: 3, arbitrary: turned },
    { weight: 2, arbitrary: noise },
    { weight: 2, arbitrary: text },
    { weight: 1, arbitrary: tooLarge },
  );
  const contentType = fc.oneof(
    { weight: 6, arbitrary: fc.constant(STILL) },
    { weight: 3, arbitrary: fc.constant('application/json') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('multipart/form-data; boundary=x', 'text/plain', 'image/jpeg', ';'),
    },
  );
  return fc.record({ contentType, body });
}

test('malformed messages: a documented answer to each', async () => {
  const drawn = fc.sample(brokenMessage(await plainJpeg()), { seed: SEED, numRuns: sized(80, 304) });
  for (let first = 0; first < drawn.length; first += AT_ONCE) {
    const faults = await Promise.all(
      drawn.slice(first, first + AT_ONCE).map(async (message, place) => {
        const found = await faultOf(place, message).catch(String);
        const shown = message.body.toString('latin1').slice(0, 200);
        return found === null ? [] : [`${first + place}: ${found} for ${message.contentType} ${shown}`];
      }),
    );
    expect(faults.flat()).toEqual([]);
  }
});

/** A person who shows these pictures, whatever is requested. */
const showing = (next: () => Buffer): WirePerson => ({
  react: ({ opens_in_ms: opensMs }) => new Promise((resolve) => setTimeout(resolve, opensMs)),
  show: async () => next(),
});

test('corrupted, expensive and foreign pictures: a verdict or a refusal, in bounded memory', async () => {
  const peakBytes = () => {
    const line = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${venue.gatehouse.pid}/status`, 'utf8'));
    return Number(line?.[1]) * 1_024;
  };
  const before = peakBytes();
  const frames = fc
    .sample(await anyFrame(), { seed: SEED, numRuns: sized(40, 240) })
    .filter(({ length }) => length > 0 && length <= CAPTURE_BOUNDS.maxStillBytes);
  // A capture ends after a few faults, so as many are started as it takes to show every picture.
  const shown = frames.values();
  let isShown = false;
  const next = (): Buffer => {
    const { value, done } = shown.next();
    isShown ||= done === true;
    return value ?? frames[0]!;
  };
  const ends: (string | undefined)[] = [];
  const lane = async () => {
    while (!isShown) {
      const last = await follow(await venue.begin(), showing(next));
      ends.push(last?.type === 'error' ? last.code : last?.type);
    }
  };
  await Promise.all(Array.from({ length: CAPTURES_AT_ONCE }, lane));
  for (const end of ends) expect(['verdict', 'unreadable_frame']).toContain(end);
  expect(ends).toContain('unreadable_frame');
  expect(peakBytes() - before).toBeLessThan(MOST_BYTES_MORE);
});

test('senders that disconnect midway: their runs keep waiting', async () => {
  const jpeg = await plainJpeg();
  const { hostname, port } = new URL(venue.baseUrl);
  const hangUp = async (place: number, share: number, isChunked: boolean): Promise<void> => {
    const run = runs[place]!;
    const body = Buffer.concat([header(0), jpeg]);
    const sent = body.subarray(0, Math.floor(share * body.length));
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    const framing = isChunked ? 'transfer-encoding: chunked' : `content-length: ${body.length}`;
    socket.write(
      `POST ${pathOf(run)} HTTP/1.1\r\nhost: ${hostname}\r\nx-flow-token: ${run.flowToken}\r\n` +
        `content-type: ${STILL}\r\n${framing}\r\n\r\n`,
    );
    if (isChunked) socket.write(`${sent.length.toString(16)}\r\n`);
    await new Promise((resolve) => socket.write(sent, resolve));
    socket.destroy();
    await once(socket, 'close');
    expect(await run.snapshot()).toMatchObject({ state: 'open', attempts_left: 3 });
  };
  for (let round = 0; round < HANG_UPS / AT_ONCE; round++) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, place) =>
        hangUp(place, (round + 0.5) / (HANG_UPS / AT_ONCE), place % 2 === 0),
      ),
    );
  }
});

test('after all of this a capture is judged, a run settles, and nothing else failed', async () => {
  const jpeg = await plainJpeg();
  const judged = await attempt(
    await venue.begin(),
    showing(() => jpeg),
  );
  expect(judged).toMatchObject({ state: 'open', attempts_left: 2 });
  expect((await venue.settle(fresh('face'))).confirmation).toMatchObject({ verified: true });
  expect((await venue.call('/readyz', { key: null })).status).toBe(200);
  expect(venue.gatehouse.log()).not.toMatch(/request failed|"level":(50|60)/);
});
