/** How the console's API says a refusal: `ConsoleErrorBody`, always. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  CONSOLE_ERRORS,
  type ConsoleErrorArgs,
  type ConsoleErrorBody,
  type ConsoleErrorCode,
} from '../contract/console/errors.ts';
import { API_STATUS } from './codes.ts';
import { judge } from './judge.ts';
import { englishOf, isConsoleCode } from './refusal.ts';

/** A use case that the API shares may refuse with a code without a sentence here. */
const STATUS = { ...API_STATUS, ...CONSOLE_ERRORS };

const FRAMEWORK: Readonly<Record<number, ConsoleErrorCode>> = {
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
};

const STORE = {
  database_busy: 'storage_unavailable',
  database_full: 'storage_full',
  database_not_writable: 'storage_not_writable',
  database_unreachable: 'storage_unavailable',
  database_damaged: 'storage_damaged',
} as const;

export function replyWithConsoleError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const send = (body: ConsoleErrorBody, status: number = CONSOLE_ERRORS[body.error]) =>
    reply.code(status).send(body);
  const judged = judge(error, request, reply, STATUS);
  switch (judged.kind) {
    case 'refused': {
      const { code, facts } = judged.refusal;
      if (!isConsoleCode(code)) return send(bodyOf('bad_request'), judged.status);
      return send({ ...bodyOf(code, facts.args), ...(facts.conflict && { conflict: facts.conflict }) });
    }
    case 'invalid': {
      const fields = judged.findings.map(({ loc, msg }) => ({ path: loc.join('.'), message: msg }));
      const [first] = fields;
      const body = bodyOf('invalid_request');
      return send({ ...body, ...(first && { message: `${first.path}: ${first.message}` }), fields });
    }
    case 'unreadable':
      return send(bodyOf(FRAMEWORK[judged.status] ?? 'bad_request'), judged.status);
    case 'failed': {
      const { errorId, store } = judged;
      const internal: ConsoleErrorArgs['internal_error'] = { id: errorId };
      return send({
        ...(store ? bodyOf(STORE[store]) : bodyOf('internal_error', internal)),
        error_id: errorId,
      });
    }
  }
}

function bodyOf(code: ConsoleErrorCode, args?: Readonly<Record<string, string | number>>): ConsoleErrorBody {
  return { error: code, ...(args && { args }), message: englishOf(code, args ?? {}) };
}
