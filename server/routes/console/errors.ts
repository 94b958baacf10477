/** The one place where the console's refusals become HTTP, all in one shape. */
import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ConsoleErrorBody } from '../../contract/console/common.ts';
import { ConsoleError, type ConsoleErrorCode } from '../../services/console-errors.ts';
import { ServiceError, ValidationError } from '../../services/errors.ts';
import { isFrameworkError, isStoreBusy, isStoreDamaged, statusOf, STORE_RETRY_S } from '../http-errors.ts';

const STATUS: Record<ConsoleErrorCode, number> = {
  sign_in_required: 401,
  session_idle: 401,
  session_over: 401,
  session_ended: 401,
  sign_in_failed: 401,
  code_required: 401,
  wrong_code: 403,
  second_factor_required: 403,
  enrolment_over: 409,
  locked_out: 429,
  busy: 503,
  weak_passphrase: 422,
  wrong_passphrase: 403,
  wrong_pin: 403,
  foreign_origin: 403,
  foreign_host: 421,
  csrf_token_required: 403,
  role_too_low: 403,
  installation_wide: 403,
  setup_done: 409,
  setup_code_required: 403,
  no_company: 409,
  not_found: 404,
  invalid_name: 422,
  name_taken: 409,
  last_admin: 409,
  invalid_cursor: 400,
  invalid_time: 422,
  invalid_setting: 422,
  send_failed: 502,
  too_many_streams: 503,
  wrong_state: 409,
  confirmation_mismatch: 422,
  case_held: 409,
  case_not_held: 409,
  case_decided: 409,
  undo_too_late: 409,
  invalid_event: 422,
  group_taken: 409,
  invalid_logo: 422,
  too_many_kiosks: 409,
  kiosk_not_paired: 409,
};

const FRAMEWORK: Record<number, ConsoleErrorBody> = {
  400: { error: 'bad_request', message: 'The request could not be read.' },
  404: { error: 'not_found', message: 'There is no such call.' },
  413: { error: 'payload_too_large', message: 'That is too much at once.' },
  415: { error: 'unsupported_media_type', message: 'Bodies are JSON (content-type: application/json).' },
};

/** Words for refusals of use cases that the console shares with the interfaces. */
const SHARED_MESSAGES: Record<string, string> = {
  'not found': 'There is nothing by that id. It may have been removed.',
  case_decided: 'Somebody has decided this case already.',
  session_settled: 'This session has come to its result already.',
  session_expired: 'This session is too old.',
  session_cancelled: 'This session was cancelled.',
  invalid_origin: 'The origin is not an address such as https://tickets.example.org.',
  invalid_embed_origin:
    'An embedding origin is one website, such as https://shop.example.org. Paths and wildcards are not allowed.',
  external_id_already_exists: 'Another verification of this company has that external id.',
  invalid_redirect_url: 'The redirect is not an address that people may be sent to.',
};

export function replyWithConsoleError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  void reply.header('cache-control', 'no-store');
  const send = (status: number, body: ConsoleErrorBody) => reply.code(status).send(body);
  if (error instanceof ConsoleError) {
    if (error.retryAfterS !== null) void reply.header('retry-after', String(error.retryAfterS));
    return send(STATUS[error.code], { error: error.code, message: error.message });
  }
  if (error instanceof ValidationError) {
    const fields = error.detail.map(({ loc, msg }) => ({ path: loc.join('.'), message: msg }));
    const [first] = fields;
    const message = first ? `${first.path}: ${first.message}` : 'The request does not fit.';
    return send(422, { error: 'invalid_request', message, fields });
  }
  if (error instanceof ServiceError) {
    const code = error.code.replaceAll(' ', '_');
    const { extra } = error.options;
    const reason = typeof extra?.['reason'] === 'string' ? extra['reason'] : undefined;
    const message = reason ?? SHARED_MESSAGES[error.code] ?? error.message;
    return send(statusOf(error.code), { error: code, message });
  }
  const status = isFrameworkError(error) ? (error.statusCode ?? 500) : 500;
  if (status < 500) {
    return send(status, FRAMEWORK[status] ?? { error: 'bad_request', message: 'The request was refused.' });
  }
  const errorId = randomUUID();
  request.log.error({ err: error, error_id: errorId }, 'console request failed');
  if (isStoreBusy(error)) {
    void reply.header('retry-after', String(STORE_RETRY_S));
    return send(503, {
      error: 'storage_unavailable',
      message: 'The database is busy or its disk is full. Try again in a moment.',
      error_id: errorId,
    });
  }
  if (isStoreDamaged(error)) {
    return send(500, {
      error: 'storage_damaged',
      message: 'Part of the database is damaged. Restore it from the latest backup.',
      error_id: errorId,
    });
  }
  return send(500, {
    error: 'internal_error',
    message: `Something went wrong. The log has more under ${errorId}.`,
    error_id: errorId,
  });
}
