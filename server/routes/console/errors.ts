/** The only place where the console's refusals become HTTP, all in one shape. */
import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  CONSOLE_ERRORS,
  type ConsoleErrorBody,
  type ConsoleErrorCode,
} from '../../contract/console/errors.ts';
import { ConsoleError, englishOf, ServiceError, ValidationError } from '../../services/errors.ts';
import { isFrameworkError, isStoreUnavailable, statusOf, storeCode, STORE_RETRY_S } from '../http-errors.ts';

const FRAMEWORK: Readonly<Record<number, ConsoleErrorCode>> = {
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
};

const STORE: Readonly<Record<string, ConsoleErrorCode>> = {
  database_busy: 'storage_unavailable',
  database_full: 'storage_full',
  database_not_writable: 'storage_not_writable',
  database_unreachable: 'storage_unavailable',
  database_damaged: 'storage_damaged',
};

export function replyWithConsoleError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  void reply.header('cache-control', 'no-store');
  const send = (body: ConsoleErrorBody) => reply.code(CONSOLE_ERRORS[body.error]).send(body);
  if (error instanceof ConsoleError) {
    if (error.retryAfterS !== null) void reply.header('retry-after', String(error.retryAfterS));
    return send({
      ...bodyOf(error.code, error.args),
      ...(error.conflict !== null && { conflict: error.conflict }),
    });
  }
  if (error instanceof ValidationError) {
    const fields = error.detail.map(({ loc, msg }) => ({ path: loc.join('.'), message: msg }));
    const [first] = fields;
    const body = bodyOf('invalid_request');
    return send({ ...body, ...(first && { message: `${first.path}: ${first.message}` }), fields });
  }
  if (error instanceof ServiceError) {
    const code = error.code.replaceAll(' ', '_');
    const { retryAfterS } = error.options;
    if (retryAfterS !== undefined) void reply.header('retry-after', String(Math.ceil(retryAfterS)));
    const body = isConsoleCode(code) ? bodyOf(code, error.options.args ?? null) : bodyOf('bad_request');
    return reply.code(statusOf(error.code)).send(body);
  }
  const status = isFrameworkError(error) ? (error.statusCode ?? 500) : 500;
  if (status < 500) return reply.code(status).send(bodyOf(FRAMEWORK[status] ?? 'bad_request'));
  const id = randomUUID();
  request.log.error({ err: error, error_id: id }, 'console request failed');
  if (isStoreUnavailable(error)) void reply.header('retry-after', String(STORE_RETRY_S));
  const code = STORE[storeCode(error)];
  return send({ ...(code ? bodyOf(code) : bodyOf('internal_error', { id })), error_id: id });
}

const isConsoleCode = (code: string): code is ConsoleErrorCode => Object.hasOwn(CONSOLE_ERRORS, code);

function bodyOf(
  code: ConsoleErrorCode,
  args: Readonly<Record<string, string | number>> | null = null,
): ConsoleErrorBody {
  return { error: code, ...(args && { args }), message: englishOf(code, args ?? {}) };
}
