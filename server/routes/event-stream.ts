import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

/** Takes over the reply for server-sent events (HTML Living Standard §9.2), which no proxy may cache or buffer. */
export function openEventStream(reply: FastifyReply): ServerResponse {
  reply.hijack();
  const stream = reply.raw;
  stream.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  });
  return stream;
}
