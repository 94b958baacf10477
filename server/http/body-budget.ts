/** How much of large bodies may be on the way at once, so that many slow senders cannot fill the memory. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { placeOf } from '../domain/address.ts';
import { Refusal } from '../refusals/refusal.ts';

/** Bodies up to this size are not counted: the number of connections bounds them. */
export const SMALL_BODY_BYTES = 64 * 1024;

const MIB = 1024 * 1024;
export const BODY_BUDGET = {
  /** A venue’s guests share one address; this is about 200 pictures of a usual size at once. */
  perAddressBytes: 32 * MIB,
  altogetherBytes: 128 * MIB,
} as const;

const RETRY_S = 1;

/**
 * Counts each large body by its announced length from the moment its sender is authorised until it is answered. Beyond
 * the budget it is refused with 429 or 503 before it is read.
 */
export function boundBodies(
  app: FastifyInstance,
  budget: Record<keyof typeof BODY_BUDGET, number> = BODY_BUDGET,
): void {
  const ofAddress = new Map<string, number>();
  let altogether = 0;
  const count = (address: string, bytes: number) => {
    altogether += bytes;
    const now = (ofAddress.get(address) ?? 0) + bytes;
    if (now > 0) ofAddress.set(address, now);
    else ofAddress.delete(address);
  };

  app.addHook('preParsing', (request, reply, payload, done) => {
    const bytes = bytesOf(request);
    if (bytes <= SMALL_BODY_BYTES || reply.raw.destroyed) {
      done(null, payload);
      return;
    }
    const address = placeOf(request.ip);
    if (altogether + bytes > budget.altogetherBytes) {
      done(new Refusal('uploads_busy', { retryAfterS: RETRY_S }));
    } else if ((ofAddress.get(address) ?? 0) + bytes > budget.perAddressBytes) {
      done(new Refusal('too_many_uploads', { retryAfterS: RETRY_S }));
    } else {
      count(address, bytes);
      reply.raw.once('close', () => count(address, -bytes));
      done(null, payload);
    }
  });
}

/** The announced length; without one, as much as the route accepts. One that is too long is refused unread. */
function bytesOf({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return bodyLimit;
  const announced = Number(headers['content-length'] ?? 0);
  return announced <= bodyLimit ? announced : 0;
}
