import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

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
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
