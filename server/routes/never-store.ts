import type { onRequestHookHandler } from 'fastify';

/** Answers about people and keys are for the one who asked, now. */
export const neverStore: onRequestHookHandler = (_request, reply, done) => {
  void reply.header('cache-control', 'no-store');
  done();
};
