import type { FastifyReply, FastifyRequest } from 'fastify';
import { KIOSK_ORDERS_EVENT, KIOSK_REVOKED_EVENT } from '../../contract/kiosk.ts';
import type { ServiceDeps } from '../../services/deps.ts';
import { ServiceError } from '../../services/errors.ts';
import { readOrders } from '../../services/venue/kiosk-config.ts';
import { authoriseKiosk } from '../../services/venue/kiosk-tokens.ts';
import { createFeeds, type EventStream, HEARTBEAT_MS, openEventStream } from '../event-streams.ts';

/** How soon a kiosk learns about a change by the console or the command line, in any process. */
const LOOK_EVERY_MS = 1_000;

type Reader = { stream: EventStream; last: string; writtenAt: number; log: FastifyRequest['log'] };

/** Server-sent events: the orders immediately and after every change; the end of the token. */
export function createOrderStreams(deps: Pick<ServiceDeps, 'db' | 'clock' | 'events' | 'maintenance'>) {
  const join = createFeeds<Reader>(read, (_token, look, readers) => {
    const timer = setInterval(look, LOOK_EVERY_MS);
    const drained = () => {
      for (const { stream } of readers) stream.end();
    };
    const unfollow = deps.events.followAll({ changed: () => undefined, drained });
    return () => {
      clearInterval(timer);
      unfollow();
    };
  });

  async function read(token: string, readers: ReadonlySet<Reader>): Promise<void> {
    try {
      const orders = await readOrders(deps, await authoriseKiosk(deps.db, token));
      const now = JSON.stringify([orders.config_version, orders.command, orders.maintenance]);
      for (const reader of readers) {
        const isNews = now !== reader.last;
        if (!isNews && Date.now() - reader.writtenAt < HEARTBEAT_MS) continue;
        reader.stream.write(
          isNews ? `event: ${KIOSK_ORDERS_EVENT}\ndata: ${JSON.stringify(orders)}\n\n` : ': still here\n\n',
        );
        reader.last = now;
        reader.writtenAt = Date.now();
      }
    } catch (error) {
      const isRevoked = error instanceof ServiceError && error.code === 'invalid_kiosk_token';
      for (const { stream, log } of readers) {
        if (isRevoked) stream.write(`event: ${KIOSK_REVOKED_EVENT}\ndata: {}\n\n`);
        else log.warn({ err: error }, 'orders stream closed');
        stream.end();
      }
    }
  }

  return async (request: FastifyRequest, reply: FastifyReply, token: string | null): Promise<void> => {
    const stream = openEventStream(request, reply, { holder: `${token}`, whenFull: 'oldest ends' });
    await authoriseKiosk(deps.db, token);
    stream.begin();
    join(token ?? '', { stream, last: '', writtenAt: 0, log: request.log }, stream);
  };
}
