/** How v1 and v2 say a refusal (contract, "v2 and v1 body"; decisions §4.1). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONNECT_STATUS, type ConnectCode } from './codes.ts';
import { judge } from './judge.ts';
import type { RefusalCode, ValidationDetail } from './refusal.ts';

/** Codes that the console and v3 have as well, by their names here (decisions §4.8). Their message is the reason. */
const NAMES: Readonly<Partial<Record<RefusalCode, ConnectCode>>> = {
  webhook_not_found: 'DOES_NOT_EXIST',
  invalid_webhook_type: 'INVALID_REQUEST',
  invalid_destination: 'INVALID_REQUEST',
  invalid_idempotency_key: 'INVALID_REQUEST',
  idempotency_key_reused: 'IDEMPOTENCY_KEY_REUSED',
  idempotency_key_in_use: 'IDEMPOTENCY_KEY_IN_USE',
};
const STATUS: Readonly<Partial<Record<RefusalCode, number>>> = {
  ...CONNECT_STATUS,
  ...Object.fromEntries(Object.entries(NAMES).map(([code, name]) => [code, CONNECT_STATUS[name]])),
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

/** A 500 contains only the ID that its log line repeats. */
export function replyWithFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const send = (code: ConnectCode, reason: string, status: number = CONNECT_STATUS[code]) =>
    reply.code(status).send({ status: 'failure', failure_code: code, failure_reason: reason });
  const judged = judge(error, request, reply, STATUS);
  switch (judged.kind) {
    case 'refused': {
      const { code, message } = judged.refusal;
      return send(nameOf(code), message);
    }
    case 'invalid': {
      const { findings } = judged;
      // v2 has a separate code for a missing required input; v1 does not.
      const isMissing = findings[0]?.type === 'missing' && request.url.startsWith('/v2');
      return send(isMissing ? 'INVALID_API_ACCESS' : 'INVALID_REQUEST', reasonOf(findings));
    }
    case 'unreadable': {
      const { status } = judged;
      if (status === 404)
        return send('DOES_NOT_EXIST', 'There is no operation at this address. See /docs for all of them.');
      const reason =
        FRAMEWORK_REASONS[status] ??
        'The request cannot be read. Check its headers, and send the body as JSON.';
      return send('INVALID_REQUEST', reason, status);
    }
    case 'failed': {
      const { errorId, isPassing } = judged;
      return isPassing
        ? send(
            'SERVICE_TEMPORARILY_UNAVAILABLE',
            `The service cannot store anything for now (error ${errorId}). Try again later.`,
          )
        : send(
            'INTERNAL_ERROR',
            `Something went wrong in Gatehouse (error ${errorId}). Try again. If it happens again, give its operator this ID.`,
          );
    }
  }
}

const isOwnCode = (code: string): code is ConnectCode => Object.hasOwn(CONNECT_STATUS, code);
const nameOf = (code: RefusalCode): ConnectCode => NAMES[code] ?? (isOwnCode(code) ? code : 'INTERNAL_ERROR');

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
