import type { onRequestHookHandler } from 'fastify';

/** Responses about people and keys must not be cached. */
export const neverStore: onRequestHookHandler = (_request, reply, done) => {
  void reply.header('cache-control', 'no-store');
  done();
};
