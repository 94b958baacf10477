import { expect, test } from 'vitest';
import type { WaitReason } from '../i18n/messages.ts';
import { pauseMsOf, retrying } from './retrying.ts';

type Answer = Response | 'lost';

/** Sends one request against prepared answers; returns what was reported and the waits. */
async function send(answers: Answer[]) {
  const reports: (WaitReason | null)[] = [];
  const pauses: number[] = [];
  const response = await retrying({
    fetch: async () => {
      const answer = answers.shift();
      if (answer === undefined) throw new Error('asked too often');
      if (answer === 'lost') throw new TypeError('fetch failed');
      return answer;
    },
    pause: async (ms) => void pauses.push(ms),
    report: (reason) => reports.push(reason),
  })('/flow');
  return { status: response.status, reports, pauses };
}
const refusal = (status: number, detail: string, retryAfter?: string) =>
  Response.json(
    { detail },
    { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } },
  );

test('a received reply is not requested again', async () => {
  expect(await send([refusal(409, 'wrong_step')])).toEqual({ status: 409, reports: [null], pauses: [] });
});

test('a lost network is retried for as long as it takes, at increasing intervals', async () => {
  const { reports, pauses } = await send(['lost', 'lost', 'lost', 'lost', 'lost', 'lost', Response.json({})]);
  expect(new Set(reports.slice(0, -1))).toEqual(new Set(['offline']));
  expect(reports.at(-1)).toBeNull();
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
});

test('a busy engine is retried at the time it names', async () => {
  const sent = await send([refusal(503, 'engine_busy', '2'), Response.json({})]);
  expect(sent).toEqual({ status: 200, reports: ['busy', null], pauses: [2_000] });
});

test('maintenance is waited for, and reported as such', async () => {
  const { reports } = await send([refusal(503, 'maintenance', '30'), Response.json({})]);
  expect(reports).toEqual(['maintenance', null]);
});

test('after maintenance that ended early, a person waits five seconds at most', async () => {
  const { pauses } = await send([refusal(503, 'maintenance', '300'), Response.json({})]);
  expect(pauses).toEqual([5_000]);
});

test('an engine that fails repeatedly, and a failing server, are reported to the person', async () => {
  const failed = () => refusal(503, 'engine_failed', '1');
  expect((await send([failed(), failed(), failed()])).status).toBe(503);
  const broken = () => refusal(500, 'internal_error');
  expect((await send([broken(), broken(), broken()])).status).toBe(500);
});

test.each([
  ['7', 7_000],
  ['0', 1_000],
  ['86400', 60_000],
  [null, 4_000],
  ['', 4_000],
  ['Wed, 21 Oct 2026 07:28:00 GMT', 4_000],
])('Retry-After %s waits %i ms', (header, ms) => {
  const headers = new Headers(header === null ? {} : { 'retry-after': header });
  expect(pauseMsOf(headers, 4_000)).toBe(ms);
});
