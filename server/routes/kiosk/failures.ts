/** Refusals of staff's PIN come from the console's use cases; this converts them to the public listener's shape. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ConsoleErrorCode } from '../../contract/console/errors.ts';
import { ConsoleError } from '../../services/errors.ts';
import { replyWithError } from '../http-errors.ts';

const STATUS: Partial<Record<ConsoleErrorCode, number>> = {
  wrong_pin: 403,
  locked_out: 429,
  busy: 503,
  not_found: 404,
};

export function replyWithKioskError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const status = error instanceof ConsoleError ? STATUS[error.code] : undefined;
  if (!(error instanceof ConsoleError) || status === undefined) return replyWithError(error, request, reply);
  if (error.retryAfterS !== null) void reply.header('retry-after', String(error.retryAfterS));
  return reply.code(status).send({ detail: error.code });
}
