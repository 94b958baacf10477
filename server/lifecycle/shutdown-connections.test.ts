import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { endConnections } from './shutdown.ts';

const agent = new Agent({ keepAlive: true });

async function listening(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { server, ask: () => get({ port, agent, host: '127.0.0.1' }) };
}

test('a request that is answered in time is waited for, and its connection is not kept', async () => {
  let answer: () => void = () => undefined;
  const { server, ask } = await listening((_request, response) => (answer = () => response.end('done')));
  const asked = ask();
  await once(server, 'request');
  const closed = endConnections([server], new Promise((resolve) => server.close(resolve)));
  answer();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  await closed;
  expect(response.statusCode).toBe(200);
});

test('one that never ends is cut off, and does not delay the shutdown', async () => {
  const { server, ask } = await listening(() => undefined);
  const asked = ask();
  const failed = once(asked, 'error');
  await once(server, 'request');
  await endConnections([server], new Promise((resolve) => server.close(resolve)), 1);
  expect(await failed).toMatchObject([{ code: 'ECONNRESET' }]);
});
