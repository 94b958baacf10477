import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseIdempotencyKey } from '../domain/idempotency.ts';
import { Refusal } from '../refusals/refusal.ts';
import { type KeepReply, once, type Repeater } from '../services/keys/idempotency.ts';
import type { Ports } from '../services/ports/ports.ts';

/**
 * Answers a call that may be repeated with an `Idempotency-Key`. Without the header it is an ordinary call.
 * @throws Refusal `invalid_idempotency_key`, `idempotency_key_reused`, `idempotency_key_in_use`
 */
export async function repeatable<T>(
  deps: Pick<Ports, 'db' | 'clock'>,
  { request, reply, caller }: { request: FastifyRequest; reply: FastifyReply; caller: Repeater },
  work: (keep: KeepReply<T> | null) => Promise<T>,
): Promise<T> {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return work(null);
  const key = typeof header === 'string' ? parseIdempotencyKey(header) : null;
  if (key === null)
    throw new Refusal('invalid_idempotency_key', {
      message: 'Idempotency-Key: send 1 to 255 visible ASCII characters, with or without quotes.',
    });
  const { params, body, routeOptions } = request;
  const operation = routeOptions.config.operation?.operationId ?? routeOptions.url ?? '';
  const call = { caller, operation, key, sent: { params, body } };
  const answer = await once<T>(deps, call, work);
  if (answer.isReplayed) void reply.header('idempotent-replayed', 'true');
  return answer.reply;
}
