import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { openReceiver } from '../../../testing/service/webhooks.ts';
import { type SendOptions, sendWebhook } from './send.ts';

const BODY = Buffer.from('{"a":"ü"}');
const HEADERS = { 'x-hub-signature-256': 'sha256=abc' };
const allow = (...hosts: string[]): SendOptions => ({
  allowHosts: new Set(hosts),
  ownAddresses: new Set(),
  ownPorts: new Set(),
  signal: new AbortController().signal,
});
const toLoopback = (url: string, options: Partial<SendOptions> = {}) =>
  sendWebhook({ url, body: BODY, headers: HEADERS }, { ...allow('127.0.0.1'), ...options });

it('posts the bytes unchanged, signed, and stores the answer', async () => {
  const receiver = await openReceiver((_call, response) => response.writeHead(201).end('thank you'));
  const result = await toLoopback(`${receiver.url}?a=b`);
  expect(result).toMatchObject({ httpStatus: 201, responseBody: 'thank you', networkFailure: null });
  const [call] = receiver.calls;
  expect(call!.path).toBe('/hooks?a=b');
  expect(call!.body.equals(BODY)).toBe(true);
  expect(call!.headers).toMatchObject({
    'content-type': 'application/json',
    'x-hub-signature-256': 'sha256=abc',
    'user-agent': 'Gatehouse-Webhooks/1',
  });
});

it('does not follow redirects', async () => {
  const target = await openReceiver((_call, response) => response.end());
  const receiver = await openReceiver((_call, response) =>
    response.writeHead(301, { location: target.url }).end(),
  );
  expect((await toLoopback(receiver.url)).httpStatus).toBe(301);
  expect(target.calls).toHaveLength(0);
});

it('reads 20,000 bytes of an answer and ignores the rest', async () => {
  let written = 0;
  const receiver = await openReceiver((_call, response) => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const more = () => {
      while (written < 50_000_000 && !response.destroyed) {
        written += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  });
  const result = await toLoopback(receiver.url);
  expect(result).toMatchObject({ httpStatus: 200, networkFailure: null });
  expect(result.responseBody).toHaveLength(20_000);
  expect(written).toBeLessThan(50_000_000);
});

it.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['GZIP', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
])('asks for a plain answer, and stores one that comes as %s readable', async (encoding, compress) => {
  const text = JSON.stringify({ error: 'Ungültig' });
  const receiver = await openReceiver((_call, response) =>
    response.writeHead(422, { 'content-encoding': encoding }).end(compress(Buffer.from(text))),
  );
  expect(await toLoopback(receiver.url)).toMatchObject({
    httpStatus: 422,
    responseBody: text,
    networkFailure: null,
  });
  expect(receiver.calls[0]!.headers['accept-encoding']).toBe('identity');
});

it.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
] as const)(
  'a small %s answer that grows without end is read to 20,000 bytes',
  async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(50_000_000));
    const receiver = await openReceiver((_call, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(bomb),
    );
    const before = process.memoryUsage().arrayBuffers;
    const result = await toLoopback(receiver.url);
    expect(result).toMatchObject({ httpStatus: 200, networkFailure: null });
    expect(result.responseBody).toHaveLength(20_000);
    await sleep(200);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  },
);

it('a compressed answer that is broken or cut off does not fail the call', async () => {
  const whole = gzipSync(JSON.stringify(Array.from({ length: 5_000 }, () => Math.random())));
  for (const [body, start] of [
    [Buffer.from('plain text'), 'plain text'],
    [whole.subarray(0, whole.length / 8), '[0.'],
  ] as const) {
    const receiver = await openReceiver((_call, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(body),
    );
    const result = await toLoopback(receiver.url);
    expect(result).toMatchObject({ httpStatus: 200, networkFailure: null });
    expect(result.responseBody?.startsWith(start)).toBe(true);
  }
});

it('leaves out a character that was cut in half', async () => {
  const receiver = await openReceiver((_call, response) => response.end(`x${'ü'.repeat(15_000)}`));
  const { responseBody } = await toLoopback(receiver.url);
  expect(responseBody).toBe(`x${'ü'.repeat(9_999)}`);
});

it('ends an attempt at the time limit, whether nothing or half an answer arrived', async () => {
  const silent = await openReceiver(() => undefined);
  expect(await toLoopback(silent.url, { limitMs: 50 })).toMatchObject({
    httpStatus: null,
    networkFailure: 'The receiver did not respond completely in time. (TIMEOUT: 0.05 s)',
  });
  const slow = await openReceiver((_call, response) => response.writeHead(200).write('half'));
  expect(await toLoopback(slow.url, { limitMs: 2_000 })).toMatchObject({
    httpStatus: 200,
    responseBody: 'half',
  });
});

it('describes network failures in words', async () => {
  const resetting = await openReceiver((_call, _response, request) => request.socket.resetAndDestroy());
  expect((await toLoopback(resetting.url)).networkFailure).toBe(
    'The receiver reset the connection. (ECONNRESET)',
  );
  const hangingUp = await openReceiver((_call, _response, request) => request.socket.end());
  expect((await toLoopback(hangingUp.url)).networkFailure).toContain('ECONNRESET');
  expect((await toLoopback('http://127.0.0.1:1/')).networkFailure).toContain('(ECONNREFUSED)');
  const tls = await openReceiver(() => undefined);
  expect((await toLoopback(tls.url.replace('http:', 'https:'))).networkFailure).not.toBeNull();
});

it('ends when it is cancelled', async () => {
  const stopping = new AbortController();
  const receiver = await openReceiver(() => stopping.abort());
  expect(await toLoopback(receiver.url, { signal: stopping.signal })).toMatchObject({ httpStatus: null });
});

it.each([['127.0.0.1'], ['10.0.0.1'], ['::1'], ['169.254.169.254'], ['93.184.215.14', '192.168.0.9']])(
  'a name that was public when it was saved, and resolves to %s on connecting, gets nothing',
  async (...addresses) => {
    const receiver = await openReceiver((_call, response) => response.end());
    const result = await sendWebhook(
      { url: `https://rebound.example:${receiver.port}/`, body: BODY, headers: HEADERS },
      { ...allow(), resolve: async () => addresses },
    );
    expect(result.httpStatus).toBeNull();
    expect(result.networkFailure).toContain('(REFUSED_ADDRESS: rebound.example, ');
    expect(receiver.calls).toHaveLength(0);
  },
);

it('connects to the checked address: the name is resolved once per attempt', async () => {
  const receiver = await openReceiver((_call, response) => response.end());
  const asked: string[] = [];
  const result = await sendWebhook(
    { url: `http://box.local:${receiver.port}/`, body: BODY, headers: HEADERS },
    {
      ...allow('box.local'),
      resolve: async (host) => {
        asked.push(host);
        return ['127.0.0.1'];
      },
    },
  );
  expect(result.httpStatus).toBe(200);
  expect(asked).toEqual(['box.local']);
});

it('refuses this server’s own address, and a destination that the operator no longer allows', async () => {
  const own = await sendWebhook(
    { url: 'https://own.example/', body: BODY, headers: HEADERS },
    { ...allow(), ownAddresses: new Set(['93.184.215.14']), resolve: async () => ['93.184.215.14'] },
  );
  expect(own.networkFailure).toContain('93.184.215.14');
  const receiver = await openReceiver((_call, response) => response.end());
  expect((await toLoopback(receiver.url, { allowHosts: new Set() })).httpStatus).toBeNull();
  expect(receiver.calls).toHaveLength(0);
});
