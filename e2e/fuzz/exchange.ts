/** Sends generated requests unchanged, and compares the answers with the contract. */
import http from 'node:http';
import { expect } from '@playwright/test';
import fc from 'fast-check';
import { limitMs } from '../../testing/tier.ts';
import type { Request } from './requests.ts';

/** A failure is repeated with its seed. */
export const SEED = Number(process.env['GATEHOUSE_FUZZ_SEED'] ?? 20_250_301);
/** Requests of one round, sent at the same time. */
export const AT_ONCE = 20;
/** Of all rounds of a test. */
export const MAX_MS = limitMs(22_500);
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

/** Whether v3 and the flow API document a body of this shape: an object, and for a refusal its detail. */
function hasShape(body: unknown, status: number): boolean {
  if (!isRecord(body)) return false;
  if (status < 400) return true;
  const { detail } = body;
  if (typeof detail === 'string') return detail !== '';
  return status === 422 && Array.isArray(detail) && detail.length > 0 && detail.every(isFinding);
}

/** The problem with an answer; null if it is as documented. */
export function fault(
  { status, contentType, text }: Answer,
  method: string,
  documented: ReadonlySet<number>,
  isDocumented = hasShape,
): string | null {
  if (!documented.has(status)) return `status ${status} is not documented: ${text.slice(0, 300)}`;
  if (method === 'HEAD' || status === 204) return text === '' ? null : 'a body where none belongs';
  if (!contentType.startsWith('application/json')) return `content type ${contentType || 'none'}`;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return `no JSON: ${text.slice(0, 300)}`;
  }
  return isDocumented(body, status) ? null : `no documented shape: ${text.slice(0, 300)}`;
}

/**
 * Sends `count` requests in rounds and checks each answer.
 * @returns how often each status came
 */
export async function fuzz(
  sender: Sender,
  request: fc.Arbitrary<Request>,
  count: number,
  faultOf: (answer: Answer, method: string) => string | null,
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (round) => {
      const faults = await Promise.all(
        round.map(async (one) => {
          const found = await sender.send(one).then(
            (answer) => {
              statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
              return faultOf(answer, one.method);
            },
            (error: unknown) => String(error),
          );
          return found === null ? [] : [{ found, request: shown(one) }];
        }),
      );
      expect(faults.flat()).toEqual([]);
    }),
    {
      seed: SEED,
      numRuns: count / AT_ONCE,
      plugins: [fc.interruptAfterTimeLimit(MAX_MS, { failOnInterrupt: true })],
      // The round identifies its request, so shrinking would only take time.
      endOnFailure: true,
    },
  );
  return statuses;
}

/** A readable request: its head, and enough of its body to identify it. */
function shown({ method, path, headers, body }: Request): string {
  const text = body === null ? '' : body.toString();
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(headers)} ${text.slice(0, 300)} (${text.length})`;
}
