import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { doesAnswer } from './probe.ts';

const SHORT_MS = 100;

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/healthz`;
}

it('a service that answers is not restarted', async () => {
  expect(await doesAnswer(await serve((_request, response) => response.end()))).toBe(true);
});

it('a service that does not answer immediately gets a second chance', async () => {
  let calls = 0;
  const url = await serve((request, response) => {
    calls += 1;
    // Disconnects instead of waiting, because the result after a short wait would depend on how busy the machine is.
    if (calls > 1) response.end();
    else request.destroy();
  });
  expect(await doesAnswer(url)).toBe(true);
  expect(calls).toBe(2);
});

it('a service that hangs does not answer', async () => {
  expect(await doesAnswer(await serve(() => undefined), SHORT_MS)).toBe(false);
});

it('a service that is gone or has problems does not answer', async () => {
  expect(await doesAnswer(await serve((_request, response) => response.writeHead(500).end()))).toBe(false);
  expect(await doesAnswer('http://127.0.0.1:1/healthz')).toBe(false);
});
