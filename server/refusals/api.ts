/** How v3, the flow and the kiosk say a refusal (contract, "Errors"; decisions §3 and §6). */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_STATUS, apiDetail } from './codes.ts';
import { judge } from './judge.ts';

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

/** A 500 contains only the ID that its log line repeats. */
export function replyWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const judged = judge(error, request, reply, API_STATUS);
  switch (judged.kind) {
    case 'refused': {
      const { status, refusal } = judged;
      if (status === 401 && isV3Path(request.url)) void reply.header('www-authenticate', 'Bearer');
      const { detail = apiDetail(refusal.code), extra } = refusal.facts;
      return reply.code(status).send({ detail, ...extra });
    }
    case 'invalid':
      return reply.code(422).send({ detail: judged.findings });
    case 'unreadable':
      return reply
        .code(judged.status)
        .send({ detail: FRAMEWORK_DETAIL[judged.status] ?? FRAMEWORK_DETAIL[400] });
    case 'failed': {
      const { errorId, isPassing } = judged;
      return reply
        .code(isPassing ? 503 : 500)
        .send({ detail: isPassing ? 'storage_unavailable' : 'internal_error', error_id: errorId });
    }
  }
}

/** Its keys are bearer tokens (RFC 6750 §3). */
const isV3Path = (url: string): boolean => /^\/v3(?=[/?#]|$)/.test(url);

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
  requestId: string,
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
      `Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
