/** What any surface has to know about an error before it words its reply. */
import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal, type RefusalCode, type ValidationDetail, ValidationError } from './refusal.ts';

export const STORE_RETRY_S = 5;

type Judged =
  | { kind: 'refused'; refusal: Refusal; status: number }
  | { kind: 'invalid'; findings: ValidationDetail[] }
  /** Fastify's own refusal, below 500. */
  | { kind: 'unreadable'; status: number }
  /** The log line repeats the ID; `store` is the code of a failure of the database. */
  | { kind: 'failed'; errorId: string; store: StoreTrouble | null; isPassing: boolean };

/**
 * Sets the headers that every surface sends, and logs what nobody expected.
 * @param statuses the codes of the surface; any other refusal is a fault of ours
 */
export function judge(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  statuses: Readonly<Partial<Record<RefusalCode, number>>>,
): Judged {
  void reply.header('cache-control', 'no-store');
  if (error instanceof ValidationError) return { kind: 'invalid', findings: error.detail };
  const refused = error instanceof Refusal ? statuses[error.code] : undefined;
  if (error instanceof Refusal && refused !== undefined) {
    const { retryAfterS } = error.facts;
    if (retryAfterS !== undefined) void reply.header('retry-after', String(Math.ceil(retryAfterS)));
    return { kind: 'refused', refusal: error, status: refused };
  }
  const status = isFrameworkError(error) ? error.statusCode : 500;
  if (status < 500) return { kind: 'unreadable', status };
  const errorId = randomUUID();
  request.log.error({ err: error, error_id: errorId }, 'request failed');
  const store = storeTrouble(error);
  const isPassing = store !== null && store !== 'database_damaged';
  if (isPassing) void reply.header('retry-after', String(STORE_RETRY_S));
  return { kind: 'failed', errorId, store, isPassing };
}

function isFrameworkError(error: unknown): error is Error & { statusCode: number } {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number';
}

/** All but the last: the disk, another process or the network is blocking, and the caller may try again. */
const STORE_TROUBLES = [
  'database_busy',
  'database_full',
  'database_not_writable',
  'database_unreachable',
  'database_damaged',
] as const;
type StoreTrouble = (typeof STORE_TROUBLES)[number];

function storeTrouble(error: unknown): StoreTrouble | null {
  if (!(error instanceof Error && error.name === 'StoreError' && 'code' in error)) return null;
  return STORE_TROUBLES.find((known) => known === error.code) ?? null;
}
