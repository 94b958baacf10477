/** The one place where refusals of v1 and v2 become HTTP (contract, "v2 and v1 body"; decisions §4.1). */
import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConnectFailure, type FailureCode } from '../../services/connect/failure.ts';
import { ValidationError, type ValidationDetail } from '../../services/errors.ts';
import { isFrameworkError, isStoreUnavailable, STORE_RETRY_S } from '../http-errors.ts';

const FAILURE_STATUS: Readonly<Record<FailureCode, number>> = {
  INVALID_API_ACCESS: 400,
  INVALID_REQUEST: 400,
  INVALID_API_KEY: 401,
  DEMO_ACCOUNT_REQUIRED: 403,
  DOES_NOT_EXIST: 404,
  EXPIRED: 410,
  RATE_LIMITED: 429,
  IDEMPOTENCY_KEY_REUSED: 422,
  IDEMPOTENCY_KEY_IN_USE: 409,
  INTERNAL_ERROR: 500,
  SERVICE_TEMPORARILY_UNAVAILABLE: 503,
};

/** Maximum number of findings reported for one body; the rest appear once these are fixed. */
const MAX_FINDINGS = 5;

/** Refusals of Fastify itself, in words; the status stays its own. */
const FRAMEWORK_REASONS: Readonly<Record<number, string>> = {
  405: 'There is no such operation at this address; every operation is called with POST.',
  413: 'The body is larger than 64 KiB. Send less in one request.',
  414: 'The address is too long.',
  415: 'The encoding or the content type of the body is not supported. Send plain JSON.',
};

/** Whether a path belongs to v1 or v2, for requests refused before routing. */
export const isConnectPath = (url: string): boolean => /^\/v[12](?=[/?#]|$)/.test(url);

/** Answers an error in the shape of v1 and v2. A 500 contains only the ID that its log line repeats. */
export function replyWithFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ConnectFailure) return send(reply, error);
  if (error instanceof ValidationError) {
    const [first] = error.detail;
    // v2 has a separate code for a missing required input; v1 does not.
    const isMissing = first?.type === 'missing' && request.url.startsWith('/v2');
    return send(
      reply,
      new ConnectFailure(isMissing ? 'INVALID_API_ACCESS' : 'INVALID_REQUEST', reasonOf(error.detail)),
    );
  }
  const status = isFrameworkError(error) ? (error.statusCode ?? 500) : 500;
  if (status === 404) {
    const reason = 'There is no operation at this address. See /docs for all of them.';
    return send(reply, new ConnectFailure('DOES_NOT_EXIST', reason));
  }
  if (status < 500) {
    const reason =
      FRAMEWORK_REASONS[status] ??
      'The request cannot be read. Check its headers, and send the body as JSON.';
    return send(reply, new ConnectFailure('INVALID_REQUEST', reason), status);
  }
  const errorId = randomUUID();
  request.log.error({ err: error, error_id: errorId }, 'request failed');
  if (isStoreUnavailable(error)) {
    const reason = `The service cannot store anything for now (error ${errorId}). Try again later.`;
    return send(reply, new ConnectFailure('SERVICE_TEMPORARILY_UNAVAILABLE', reason, STORE_RETRY_S));
  }
  return send(
    reply,
    new ConnectFailure(
      'INTERNAL_ERROR',
      `Something went wrong in Gatehouse (error ${errorId}). Try again. If it happens again, give its operator this ID.`,
    ),
  );
}

function send(
  reply: FastifyReply,
  failure: ConnectFailure,
  status = FAILURE_STATUS[failure.code],
): FastifyReply {
  void reply.header('cache-control', 'no-store');
  if (failure.retryAfterS !== null) void reply.header('retry-after', String(Math.ceil(failure.retryAfterS)));
  return reply
    .code(status)
    .send({ status: 'failure', failure_code: failure.code, failure_reason: failure.message });
}

function reasonOf(findings: readonly ValidationDetail[]): string {
  const reported = findings.slice(0, MAX_FINDINGS).map(({ loc, msg, type, ctx }) => {
    if (type === 'json_invalid') {
      const error = ctx?.['error'];
      return `The body is not valid JSON: ${typeof error === 'string' ? error : msg}`;
    }
    const field = loc.slice(1).join('.');
    return field === '' ? `The body should be a JSON object: ${msg}` : `${field}: ${msg}`;
  });
  return `${reported.join('; ')}.`;
}
