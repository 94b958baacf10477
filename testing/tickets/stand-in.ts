/** Ticketing systems for tests, as their makers document them: the right answers and the wrong ones. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Ask, Question } from '../../server/services/tickets/ask.ts';

export type Said = { http: number; body?: unknown; headers?: Record<string, string> };
export type StandIn = {
  handle: (question: Question) => Said;
  /** Replaces the answer, or loses it (null) after the question arrived. Undefined leaves it as it is. */
  fault?: ((question: Question) => Said | 'lost' | 'unreachable' | undefined) | undefined;
};

/** Without sockets, so that thousands of questions take no time. */
export const askOf =
  (system: StandIn): Ask =>
  async (question) => {
    const fault = system.fault?.(question);
    const none = { http: null, body: null, headers: {}, retryAfterMs: null };
    if (fault === 'unreachable') return none;
    const said = typeof fault === 'object' ? fault : system.handle(question);
    if (fault === 'lost') return none;
    const retryAfter = said.headers?.['retry-after'];
    return {
      http: said.http,
      body: said.body === undefined ? null : (JSON.parse(JSON.stringify(said.body)) as unknown),
      headers: said.headers ?? {},
      retryAfterMs: retryAfter === undefined ? null : Number(retryAfter) * 1_000,
    };
  };

/** On loopback, until the running test ends. */
export async function listen(system: StandIn): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { http, body, headers } = system.handle({
        url: `${origin}${request.url ?? ''}`,
        method: request.method as 'GET',
        headers: request.headers as Record<string, string>,
        body: text === '' ? undefined : JSON.parse(text),
      });
      response.writeHead(http, { 'content-type': 'application/json', ...headers });
      response.end(body === undefined ? '' : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return origin;
}
