/** What cannot be read, and what cannot be stored, is refused in the shape of all other errors. */
import { connect } from 'node:net';
import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { StoreError } from '../store/sql/port.ts';
import { replyWithFailure } from './connect/failures.ts';
import { replyWithConsoleError } from './console/errors.ts';
import { refuseBrokenRequest, replyWithError } from './http-errors.ts';

/** Sends raw bytes, and reads until the server closes. */
async function exchange(bytes: string): Promise<{ head: string; body: unknown }> {
  const app = Fastify({ clientErrorHandler: refuseBrokenRequest });
  onTestFinished(() => app.close());
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(bytes);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { head, body: JSON.parse(body) };
}

it('bytes that are not HTTP: 400', async () => {
  const { head, body } = await exchange('\u0016\u0003\u0001 hello\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(head).toContain('Content-Type: application/json');
  expect(body).toEqual({ detail: 'bad_request' });
});

it('headers beyond the limit: 431', async () => {
  const { head, body } = await exchange(`GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`);
  expect(head).toMatch(/^HTTP\/1\.1 431 /);
  expect(body).toEqual({ detail: 'headers_too_large' });
});

it.each([
  ['the API', replyWithError, { detail: 'storage_unavailable' }],
  ['v1 and v2', replyWithFailure, { failure_code: 'SERVICE_TEMPORARILY_UNAVAILABLE' }],
  ['the console', replyWithConsoleError, { error: 'storage_not_writable' }],
])('%s answers 503 with Retry-After while the disk refuses changes', async (_what, handler, body) => {
  const app = Fastify();
  onTestFinished(() => app.close());
  app.setErrorHandler(handler);
  app.get('/', () => Promise.reject(new StoreError('database_not_writable', 'read-only')));
  const reply = await app.inject('/');
  expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '5']);
  expect(reply.json()).toMatchObject(body);
});
