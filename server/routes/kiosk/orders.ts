import type { FastifyReply, FastifyRequest } from 'fastify';
import { KIOSK_ORDERS_EVENT, KIOSK_REVOKED_EVENT } from '../../contract/kiosk.ts';
import type { ServiceDeps } from '../deps.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { readOrders } from '../../services/venue/kiosk-config.ts';
import { authoriseKiosk } from '../../services/venue/kiosk-tokens.ts';
import { createFeeds, type EventStream, openEventStream } from '../event-streams.ts';

type Reader = { stream: EventStream; last: string; log: FastifyRequest['log'] };

/** Server-sent events: the orders immediately and after every change; the end of the token. */
export function createOrderStreams(deps: Pick<ServiceDeps, 'db' | 'clock' | 'events' | 'maintenance'>) {
  const join = createFeeds<Reader>(read, (key, look, readers) => {
    const [companyId] = key.split(' ');
    const drained = () => {
      for (const { stream } of readers) stream.end();
    };
    const ends = [
      deps.db.follow('audit', look, companyId),
      deps.db.follow('badges', look, companyId),
      deps.maintenance.follow(look),
      deps.events.onDrain(drained),
    ];
    return () => {
      for (const end of ends) end();
    };
  });

  async function read(key: string, readers: ReadonlySet<Reader>): Promise<number | undefined> {
    try {
      const kiosk = await authoriseKiosk(deps.db, key.split(' ')[1] ?? null);
      const { orders, changesAt } = await readOrders(deps, kiosk);
      const now = JSON.stringify([orders.config_version, orders.command, orders.maintenance, orders.badges]);
      for (const reader of readers) {
        reader.stream.write(
          now === reader.last
            ? ': still here\n\n'
            : `event: ${KIOSK_ORDERS_EVENT}\ndata: ${JSON.stringify(orders)}\n\n`,
        );
        reader.last = now;
      }
      return changesAt === null ? undefined : changesAt - deps.clock.now();
    } catch (error) {
      const isRevoked = error instanceof Refusal && error.code === 'invalid_kiosk_token';
      for (const { stream, log } of readers) {
        if (isRevoked) stream.write(`event: ${KIOSK_REVOKED_EVENT}\ndata: {}\n\n`);
        else log.warn({ err: error }, 'orders stream closed');
        stream.end();
      }
      return undefined;
    }
  }

  return async (request: FastifyRequest, reply: FastifyReply, token: string | null): Promise<void> => {
    const stream = openEventStream(request, reply, { holder: `${token}`, whenFull: 'oldest ends' });
    const { companyId } = await authoriseKiosk(deps.db, token);
    stream.begin();
    join(`${companyId} ${token}`, { stream, last: '', log: request.log }, stream);
  };
}
