import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { onAddresses, parseAddresses, type ServerAddresses, startStageIn } from './ready-line.ts';

const LINE =
  '{"event":"ready","base_url":"http://127.0.0.1:1","connect_url":"http://127.0.0.1:2","console_url":"http://127.0.0.1:3"}';
const ADDRESSES: ServerAddresses = {
  baseUrl: 'http://127.0.0.1:1',
  connectUrl: 'http://127.0.0.1:2',
  consoleUrl: 'http://127.0.0.1:3',
};

describe('a line with addresses', () => {
  it('contains the three addresses', () => {
    expect(parseAddresses(LINE)).toEqual(ADDRESSES);
  });

  it.each(['', 'Listening', 'null', '7', '{"event":"stopped"}', '{"event":"ready","base_url":"x"}'])(
    'is not %j',
    (line) => {
      expect(parseAddresses(line)).toBeNull();
    },
  );

  it('is found among other lines and in pieces, and again when the base URL changes', async () => {
    const stream = new PassThrough();
    const found: ServerAddresses[] = [];
    onAddresses(stream, (addresses) => found.push(addresses));
    const moved = {
      event: 'moved',
      base_url: 'https://venue',
      connect_url: 'http://a',
      console_url: 'http://c',
    };
    stream.write(`warming up\n${LINE.slice(0, 20)}`);
    stream.end(`${LINE.slice(20)}\nlistening\n${JSON.stringify(moved)}\n`);
    await expect
      .poll(() => found)
      .toEqual([ADDRESSES, { baseUrl: 'https://venue', connectUrl: 'http://a', consoleUrl: 'http://c' }]);
  });
});

const line = (event: unknown) =>
  JSON.stringify({ level: 30, face_engine: event, msg: 'face engine thread starting' });

it.each([
  [line({ type: 'worker_starting', worker: 0, stage: 'loaded', afterMs: 1 }), 'loaded'],
  [line({ type: 'worker_starting', worker: 1, stage: 'opened', afterMs: 1 }), 'opened'],
  [line({ type: 'worker_starting', worker: 1, stage: 'later', afterMs: 1 }), null],
  [line({ type: 'worker_ready', worker: 1 }), null],
  ['worker_starting', null],
  ['gatehouse: The port is in use.', null],
])('%s', (text, stage) => {
  expect(startStageIn(text)).toBe(stage);
});
