/** The only place where refusals become HTTP (contract, "Errors"; decisions §3 and §6). */
import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, ServiceError, ValidationError } from '../services/errors.ts';
import { newRequestId } from '../services/ids.ts';
import type { MaintenanceGate } from '../services/maintenance/maintenance.ts';

const STATUS: Record<ErrorCode, number> = {
  authentication_required: 401,
  invalid_key_type: 401,
  invalid_or_revoked_key: 401,
  identifiers_require_secret_key: 400,
  config_requires_test_key: 403,
  test_key_required: 403,
  one_identifier_only: 400,
  identifier_unrecognized: 400,
  start_path_requires_origin: 400,
  return_path_requires_origin: 400,
  invalid_origin: 400,
  invalid_redirect_url: 400,
  redirect_url_requires_session: 400,
  group_requires_session: 400,
  expire_in_days_requires_email: 400,
  metadata_requires_identifier: 400,
  no_matching_verification: 404,
  identity_already_claimed: 409,
  external_id_already_exists: 409,
  config_incomplete: 422,
  invalid_confirmation_token: 401,
  token_expired: 410,
  no_settled_pass: 404,
  unknown_reason: 400,
  invalid_idempotency_key: 400,
  idempotency_key_reused: 422,
  idempotency_key_in_use: 409,
  'not found': 404,
  session_claimed: 409,
  session_expired: 410,
  session_settled: 409,
  session_cancelled: 410,
  wrong_step: 409,
  consent_replaced: 409,
  invite_revoked: 410,
  invite_redeemed: 409,
  case_decided: 409,
  link_used: 409,
  handoff_used: 409,
  handoff_expired: 410,
  handoff_unconfirmed: 409,
  session_continued: 409,
  continuation_used: 409,
  continuation_expired: 410,
  handoff_ended: 410,
  wrong_number: 400,
  test_number_required: 400,
  wrong_code: 400,
  code_required: 409,
  code_expired: 410,
  resend_too_soon: 429,
  too_many_codes: 429,
  too_many_sessions: 429,
  flow_token_required: 401,
  invalid_flow_token: 401,
  challenge_expired: 409,
  challenge_used: 409,
  test_partition_only: 403,
  kiosk_required: 409,
  engine_busy: 503,
  engine_failed: 503,
  webhook_not_found: 404,
  invalid_webhook_type: 400,
  invalid_destination: 400,
  invalid_allow_host: 400,
  invalid_pairing_code: 400,
  too_many_pairings: 429,
  kiosk_token_required: 401,
  invalid_kiosk_token: 401,
  invalid_device_key: 400,
  no_event: 409,
  event_not_started: 409,
  event_over: 409,
  not_our_link: 400,
  too_many_uploads: 429,
  uploads_busy: 503,
  too_many_streams: 429,
  streams_busy: 503,
};

/** For the console, whose errors have another shape. */
export const statusOf = (code: ErrorCode): number => STATUS[code];

/** Refusals of Fastify itself, in our words; other errors of Fastify keep their status. */
const FRAMEWORK_DETAIL: Record<number, string> = {
  400: 'bad_request',
  404: 'no_such_endpoint',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
  429: 'rate_limited',
};

export const STORE_RETRY_S = 5;

/** Answers an error in the shape of v3 and the flow. A 500 contains only the ID that its log line repeats. */
export function replyWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  void reply.header('cache-control', 'no-store');
  if (error instanceof ValidationError) return reply.code(422).send({ detail: error.detail });
  if (error instanceof ServiceError) {
    const { detail, extra, retryAfterS } = error.options;
    if (retryAfterS !== undefined) void reply.header('retry-after', String(Math.ceil(retryAfterS)));
    const status = STATUS[error.code];
    if (status === 401 && isV3Path(request.url)) void reply.header('www-authenticate', 'Bearer');
    return reply.code(status).send({ detail: detail ?? error.code, ...extra });
  }
  const status = isFrameworkError(error) ? (error.statusCode ?? 500) : 500;
  if (status < 500) return reply.code(status).send({ detail: FRAMEWORK_DETAIL[status] ?? 'bad_request' });
  const errorId = randomUUID();
  request.log.error({ err: error, error_id: errorId }, 'request failed');
  if (isStoreUnavailable(error)) {
    return reply
      .code(503)
      .header('retry-after', String(STORE_RETRY_S))
      .send({ detail: 'storage_unavailable', error_id: errorId });
  }
  return reply.code(500).send({ detail: 'internal_error', error_id: errorId });
}

/** Its keys are bearer tokens (RFC 6750 §3). */
const isV3Path = (url: string): boolean => /^\/v3(?=[/?#]|$)/.test(url);

export function isFrameworkError(error: unknown): error is FastifyError {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number';
}

/** The disk, another process or the network is blocking; the caller may try again. */
export function isStoreUnavailable(error: unknown): boolean {
  return UNAVAILABLE.has(storeCode(error));
}

const UNAVAILABLE: ReadonlySet<string> = new Set([
  'database_busy',
  'database_full',
  'database_not_writable',
  'database_unreachable',
]);

/** The code of a failure of the database, else an empty text. */
export function storeCode(error: unknown): string {
  const isStoreError = error instanceof Error && error.name === 'StoreError' && 'code' in error;
  return isStoreError && typeof error.code === 'string' ? error.code : '';
}

const CODE = 'SERVICE_TEMPORARILY_UNAVAILABLE';

/** Whether a path exists is said after maintenance only (decisions §1.3): unknown ones get the hooks of `app`, too. */
export async function keepUnknownPaths(app: FastifyInstance, prefix: string): Promise<void> {
  await app.register(
    async (below) => {
      // `refuseUnknownCalls` answers before it.
      below.setNotFoundHandler((request, reply) => replyWithError(new Error('no route'), request, reply));
    },
    { prefix },
  );
}

/** Refuses every call during maintenance, with a body in which clients of each generation find their field. */
export function refuseDuringMaintenance(app: FastifyInstance, gate: MaintenanceGate): void {
  app.addHook('onRequest', (request, reply, done) => {
    const retryAfterS = gate.retryAfterS();
    // A browser shows its page a refusal only if the preflight of the call has succeeded.
    const isPreflight = request.method === 'OPTIONS' && !request.is404;
    if (retryAfterS === null || isPreflight) {
      done();
      return;
    }
    void reply.code(503).header('retry-after', String(retryAfterS)).header('cache-control', 'no-store').send({
      detail: CODE,
      status: 'failure',
      failure_code: CODE,
      failure_reason: 'The service is down for scheduled maintenance. Try again later.',
    });
  });
}

const REFUSALS: Readonly<Record<string, { status: number; detail: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, detail: 'headers_too_large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: 'request_timeout' },
};
const NOT_HTTP = { status: 400, detail: 'bad_request' };

/**
 * Answers input that is not a valid request (not HTTP, too many headers, too slow) in the shape of all other errors,
 * then closes, because the rest of the connection cannot be parsed.
 */
export function refuseBrokenRequest(
  error: Error & { code?: string },
  socket: Socket & { _httpMessage?: ServerResponse },
): void {
  // A closed connection needs no answer, and a response in progress must not be interrupted by another.
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent === true) {
    socket.destroy(error);
    return;
  }
  const { status, detail } = REFUSALS[error.code ?? ''] ?? NOT_HTTP;
  const body = JSON.stringify({ detail });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      `Request-Id: ${newRequestId()}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
