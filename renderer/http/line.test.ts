import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLine, type Line } from './line.ts';
import { CutOffError } from './retrying.ts';

type Wire = 'open' | 'silent' | 'refusing';
let wire: Wire;
let asked: number;
let line: Line;
let changes: boolean[];
/** Files that hang hold every connection but those of calls without credentials. */
let isPoolFull: boolean;
const stop = vi.fn();
/** Calls that were sent on the wire, and may be answered later. */
let sent: { answer: (reply: Response) => void; signal: AbortSignal | null | undefined }[];

const send: typeof fetch = (input, init) => {
  const isQuestion = input === '/healthz';
  if (isQuestion) asked += 1;
  if (wire === 'refusing') return Promise.reject(new TypeError('refused'));
  if (wire === 'open' && isQuestion && !(isPoolFull && init?.credentials !== 'omit'))
    return Promise.resolve(new Response(null));
  return new Promise((resolve, reject) => {
    sent.push({ answer: resolve, signal: init?.signal });
    init?.signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
  });
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('stop', stop);
  stop.mockReset();
  isPoolFull = false;
  wire = 'open';
  asked = 0;
  changes = [];
  sent = [];
  line = createLine(send);
  line.follow((isUp) => changes.push(isUp));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const outcome = (call: Promise<Response>) =>
  call.then(
    (reply) => reply.text(),
    (error: unknown) => (error instanceof CutOffError ? { isBack: error.isBack } : 'failed'),
  );

test('a call on a silent wire is told within 5 s, and sent again within 2 s of its return', async () => {
  wire = 'silent';
  const call = outcome(line.fetch('/flow'));
  await pass(4_999);
  expect(changes).toEqual([false]);
  wire = 'open';
  await pass(2_000);
  expect(changes).toEqual([false, true]);
  await expect(call).resolves.toEqual({ isBack: true });
});

test('a wire that was cut for a moment costs a call 8 s', async () => {
  const call = outcome(line.fetch('/flow'));
  await pass(8_000);
  await expect(call).resolves.toEqual({ isBack: false });
  expect(changes).toEqual([]);
});

test('a slow reply that arrives is kept, and the server was asked once', async () => {
  const call = outcome(line.fetch('/flow'));
  await pass(5_000);
  sent[0]?.answer(new Response('late'));
  await expect(call).resolves.toBe('late');
  expect(asked).toBe(1);
  expect(changes).toEqual([]);
});

test('a body that never ends counts as no reply', async () => {
  const call = outcome(line.fetch('/flow'));
  let stop: (() => void) | undefined;
  const body = new ReadableStream({ start: (stream) => void (stop = () => stream.error(new Error('cut'))) });
  sent[0]?.answer(new Response(body));
  await pass(7_999);
  stop?.();
  await expect(call).resolves.toBe('failed');
});

test('a stream stays open for as long as the line does, and ends when it was cut', async () => {
  const call = line.fetch('/events');
  sent[0]?.answer(new Response('', { headers: { 'content-type': 'text/event-stream; charset=utf-8' } }));
  await call;
  await pass(60_000);
  expect(sent[0]?.signal?.aborted).toBe(false);
  wire = 'silent';
  void line.check();
  await pass(5_000);
  expect(sent[0]?.signal?.aborted).toBe(false);
  wire = 'open';
  await pass(1_000);
  expect(sent[0]?.signal?.aborted).toBe(true);
});

test('questions are asked each second while nothing answers, though each of them hangs', async () => {
  wire = 'silent';
  void line.check();
  await pass(2_500);
  expect(changes).toEqual([false]);
  const before = asked;
  await pass(10_000);
  expect(asked - before).toBe(10);
});

test('a pause ends as soon as the line is back', async () => {
  wire = 'refusing';
  await line.check();
  let isOver = false;
  void line.pause(15_000).then(() => (isOver = true));
  await pass(3_000);
  expect(isOver).toBe(false);
  wire = 'open';
  await pass(1_000);
  expect(isOver).toBe(true);
});

test('a call that the page gives up is its own abort', async () => {
  const own = new AbortController();
  const call = line.fetch('/flow', { signal: own.signal });
  own.abort();
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
});

test('a call that is answered says that the line is up, whatever becomes of the question', async () => {
  wire = 'silent';
  const call = outcome(line.fetch('/flow'));
  await pass(2_000);
  sent[0]?.answer(new Response('whole'));
  await expect(call).resolves.toBe('whole');
  await pass(5_000);
  expect(changes).toEqual([]);

  const next = outcome(line.fetch('/flow'));
  await pass(5_000);
  expect(changes).toEqual([false]);
  sent.at(2)?.answer(new Response('back'));
  await expect(next).resolves.toBe('back');
  expect(changes).toEqual([false, true]);
});

test('what hangs on every connection is given up once the line is back, and only then', async () => {
  wire = 'refusing';
  await line.check();
  isPoolFull = true;
  wire = 'open';
  await pass(3_400);
  expect(changes).toEqual([false, true]);
  expect(stop).not.toHaveBeenCalled();
  await pass(100);
  expect(stop).toHaveBeenCalledTimes(1);
  isPoolFull = false;
  wire = 'refusing';
  await line.check();
  wire = 'open';
  await pass(10_000);
  expect(changes).toEqual([false, true, false, true]);
  expect(stop).toHaveBeenCalledTimes(1);
});

test('what hangs is given up after 15 questions without an answer, unless calls have no limit', async () => {
  const patient = createLine(send, Infinity);
  wire = 'silent';
  void line.check();
  await pass(2_500 + 14_999);
  expect(stop).not.toHaveBeenCalled();
  await pass(1);
  expect(stop).toHaveBeenCalledTimes(1);
  wire = 'open';
  await pass(3_000);
  wire = 'silent';
  void patient.check();
  await pass(30_000);
  expect(stop).toHaveBeenCalledTimes(1);
});
