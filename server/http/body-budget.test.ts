/** Large bodies on the way are bounded, by address and in all. */
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { boundBodies, SMALL_BODY_BYTES } from './body-budget.ts';
import { closeGracefully } from './listen.ts';
import { createFastify } from './public-app.ts';

const LARGE = 100_000;

/** Room for two large bodies of an address, and three in all. */
async function openApp() {
  const app = createFastify(pino({ level: 'silent' }), 1);
  boundBodies(app, { perAddressBytes: 2 * LARGE, altogetherBytes: 3 * LARGE });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post('/upload', { bodyLimit: LARGE }, ({ body }) => ({ bytes: (body as Buffer).length }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => closeGracefully([app]));
  return (app.server.address() as AddressInfo).port;
}

type Upload = { socket: Socket; reply: Promise<string> };

/** Announces a body and sends all but its last byte. */
async function begin(
  port: number,
  from: string,
  bytes = LARGE,
  length = `Content-Length: ${bytes}`,
): Promise<Upload> {
  const socket = net.connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.setEncoding('utf8');
  const reply = once(socket, 'data').then(([text]) => String(text));
  socket.write(
    `POST /upload HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${from}\r\nContent-Type: application/octet-stream\r\n${length}\r\n\r\n`,
  );
  socket.write(
    length.startsWith('Content')
      ? 'x'.repeat(bytes - 1)
      : `${(bytes - 1).toString(16)}\r\n${'x'.repeat(bytes - 1)}`,
  );
  // Until the server has seen the head.
  await new Promise((resolve) => setTimeout(resolve, 50));
  return { socket, reply };
}
const finish = async ({ socket, reply }: Upload): Promise<string> => {
  socket.write('x');
  return reply;
};

test('beyond its share an address gets 429, and all together 503, with Retry-After and before the body is read', async () => {
  const port = await openApp();
  const [first, second] = [await begin(port, '192.0.2.1'), await begin(port, '192.0.2.1')];
  const third = await (await begin(port, '192.0.2.1')).reply;
  expect(third).toContain('HTTP/1.1 429');
  expect(third.toLowerCase()).toContain('retry-after: 1');
  expect(third).toContain('{"detail":"too_many_uploads"}');
  const other = await begin(port, '192.0.2.2');
  const beyond = await (await begin(port, '192.0.2.3')).reply;
  expect(beyond).toContain('HTTP/1.1 503');
  expect(beyond.toLowerCase()).toContain('retry-after: 1');
  for (const upload of [first, second, other]) expect(await finish(upload)).toContain('{"bytes":100000}');
  expect(await finish(await begin(port, '192.0.2.1'))).toContain('HTTP/1.1 200');
});

test('a sender who leaves gives the share back', async () => {
  const port = await openApp();
  for (let n = 0; n < 10; n += 1) {
    const { socket, reply } = await begin(port, '192.0.2.1');
    reply.catch(() => undefined);
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(await finish(await begin(port, '192.0.2.1'))).toContain('HTTP/1.1 200');
});

test('a body without a length counts as much as the route accepts, and small ones do not count', async () => {
  const port = await openApp();
  await begin(port, '192.0.2.1', 10, 'Transfer-Encoding: chunked');
  await begin(port, '192.0.2.1', 10, 'Transfer-Encoding: chunked');
  expect(await (await begin(port, '192.0.2.1')).reply).toContain('HTTP/1.1 429');
  expect(await finish(await begin(port, '192.0.2.1', SMALL_BODY_BYTES))).toContain('HTTP/1.1 200');
});
