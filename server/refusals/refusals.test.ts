/** What cannot be read, and what cannot be stored, is refused in the shape of all other errors. */
import { connect } from 'node:net';
import Fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CONSOLE_ERRORS } from '../contract/console/errors.ts';
import { StoreError } from '../store/sql/port.ts';
import { refuseBrokenRequest, replyWithError } from './api.ts';
import { API_STATUS } from './codes.ts';
import { replyWithFailure } from './connect.ts';
import { replyWithConsoleError } from './console.ts';
import { notFound, Refusal } from './refusal.ts';

/** Sends raw bytes, and reads until the server closes. */
async function exchange(bytes: string): Promise<{ head: string; body: unknown }> {
  const app = Fastify({ clientErrorHandler: (error, socket) => refuseBrokenRequest(error, socket, 'req_1') });
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

it.each([
  'session_without_pass',
  'session_in_review',
  'pass_disconnected',
  'pass_unchanged',
  'decided_by_person',
  'capture_under_way',
] as const)('letting in at a kiosk may be refused with %s: 409', async (code) => {
  const app = Fastify();
  onTestFinished(() => app.close());
  app.setErrorHandler(replyWithError);
  app.get('/', () => Promise.reject(new Refusal(code)));
  const reply = await app.inject('/');
  expect([reply.statusCode, reply.json()]).toEqual([409, { detail: code }]);
});

describe('one refusal, in the shape of each surface', () => {
  const said = async (handler: typeof replyWithError, refusal: Refusal) => {
    const app = Fastify();
    onTestFinished(() => app.close());
    app.setErrorHandler(handler);
    app.get('/', () => Promise.reject(refusal));
    const { statusCode, headers, body } = await app.inject('/');
    return { status: statusCode, retryAfter: headers['retry-after'], body: JSON.parse(body) as unknown };
  };

  it('what is not found has a space in the API only', async () => {
    expect(await said(replyWithError, notFound())).toMatchObject({
      status: 404,
      body: { detail: 'not found' },
    });
    expect(await said(replyWithConsoleError, notFound())).toMatchObject({
      status: 404,
      body: { error: 'not_found' },
    });
  });

  it('a wrong PIN at a kiosk and in the console', async () => {
    const refusal = new Refusal('locked_out', { args: { minutes: 2 }, retryAfterS: 90.4 });
    expect(await said(replyWithError, refusal)).toEqual({
      status: 429,
      retryAfter: '91',
      body: { detail: 'locked_out' },
    });
    expect(await said(replyWithConsoleError, refusal)).toMatchObject({
      status: 429,
      retryAfter: '91',
      body: { error: 'locked_out', args: { minutes: 2 } },
    });
  });

  it('a webhook’s destination has a reason in v1 and a problem in the console', async () => {
    const message = 'The host is not public.';
    const refusal = new Refusal('invalid_destination', { message, args: { problem: 'address' } });
    expect(await said(replyWithFailure, refusal)).toMatchObject({
      status: 400,
      body: { failure_code: 'INVALID_REQUEST', failure_reason: message },
    });
    expect(await said(replyWithConsoleError, refusal)).toMatchObject({
      status: 400,
      body: { error: 'invalid_destination', args: { problem: 'address' } },
    });
  });

  it.each([
    ['the API', replyWithError, 'last_admin'],
    ['v1 and v2', replyWithFailure, 'session_claimed'],
    ['the console', replyWithConsoleError, 'DOES_NOT_EXIST'],
  ] as const)('a code that %s does not have is our fault there', async (_what, handler, code) => {
    expect((await said(handler, new Refusal(code))).status).toBe(500);
  });

  it('a code has one status on both listeners, except for the codes that people type', () => {
    const ofConsole: Readonly<Record<string, number>> = CONSOLE_ERRORS;
    const differ = Object.entries(API_STATUS).filter(
      ([code, status]) => (ofConsole[code] ?? status) !== status,
    );
    expect(differ.map(([code]) => code)).toEqual(['wrong_code', 'code_required']);
  });
});
