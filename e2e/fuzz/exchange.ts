/** Sends generated requests unchanged, and compares the answers with the contract. */
import http from 'node:http';
import { limitMs } from '../../testing/tier.ts';
import type { Request } from './requests.ts';

/** A failure is repeated with its seed. */
export const SEED = Number(process.env['GATEHOUSE_FUZZ_SEED'] ?? 20_250_301);
/** An answer that takes longer counts as a hang. */
const HANG_MS = limitMs(15_000);

export type Answer = { status: number; contentType: string; text: string };

export type Sender = { send(request: Request): Promise<Answer>; close(): void };

/**
 * Over few persistent connections.
 * @param sockets maximum of connections @param hangMs maximum time of an answer; more for pictures, which a busy
 * machine queues
 */
export function createSender(baseUrl: string, sockets: number, hangMs = HANG_MS): Sender {
  const { hostname, port } = new URL(baseUrl);
  const agent = new http.Agent({ keepAlive: true, maxSockets: sockets });
  return {
    send: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        // The length is sent even if no body is allowed, or the rest of the connection would be misread.
        const framed =
          body === null ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) };
        const request = http.request({ agent, hostname, port, method, path, headers: framed }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            clearTimeout(late);
            resolve({
              status: response.statusCode ?? 0,
              contentType: response.headers['content-type'] ?? '',
              text: Buffer.concat(chunks).toString(),
            });
          });
        });
        const late = setTimeout(() => request.destroy(new Error(`No answer within ${hangMs} ms.`)), hangMs);
        request.on('error', (error) => {
          clearTimeout(late);
          reject(error);
        });
        request.end(body ?? undefined);
      }),
    close: () => agent.destroy(),
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A finding in the shape of the validation error body. */
function isFinding(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { loc, msg, type, ctx } = value;
  const isLoc = Array.isArray(loc) && loc.every((step) => typeof step === 'string' || Number.isInteger(step));
  return isLoc && typeof msg === 'string' && typeof type === 'string' && (ctx === undefined || isRecord(ctx));
}

/** The problem with an answer; null if it is as documented. */
export function fault(answer: Answer, method: string, documented: ReadonlySet<number>): string | null {
  const { status, contentType, text } = answer;
  if (!documented.has(status)) return `status ${status} is not documented: ${text.slice(0, 300)}`;
  if (method === 'HEAD' || status === 204) return text === '' ? null : 'a body where none belongs';
  if (!contentType.startsWith('application/json')) return `content type ${contentType || 'none'}`;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return `no JSON: ${text.slice(0, 300)}`;
  }
  if (status < 400) return isRecord(body) ? null : 'no object';
  const detail = isRecord(body) ? body['detail'] : undefined;
  if (typeof detail === 'string') return detail === '' ? 'an empty detail' : null;
  const isFindings = status === 422 && Array.isArray(detail) && detail.length > 0 && detail.every(isFinding);
  return isFindings ? null : `no documented error shape: ${text.slice(0, 300)}`;
}
