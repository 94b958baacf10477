import type { FastifyReply, FastifyRequest } from 'fastify';
import { KIOSK_ORDERS_EVENT, KIOSK_REVOKED_EVENT } from '../../contract/kiosk.ts';
import type { ServiceDeps } from '../../services/deps.ts';
import { ServiceError } from '../../services/errors.ts';
import { readOrders } from '../../services/venue/kiosk-config.ts';
import { authoriseKiosk } from '../../services/venue/kiosk-tokens.ts';
import { HEARTBEAT_MS, openEventStream, writeEvents } from '../headers.ts';

/** How soon a kiosk learns about a change by the console or the command line, in any process. */
const LOOK_EVERY_MS = 1_000;

/** Server-sent events: the orders immediately and after every change; the end of the token. */
export function streamOrders(
  deps: Pick<ServiceDeps, 'db' | 'clock' | 'events' | 'maintenance'>,
  token: string | null,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const stream = openEventStream(reply);
  let last = '';
  let writtenAt = 0;
  let isLooking = false;

  const write = (text: string) => {
    writeEvents(stream, text);
    writtenAt = Date.now();
  };

  async function look(): Promise<void> {
    const orders = await readOrders(deps, await authoriseKiosk(deps.db, token));
    const now = JSON.stringify([orders.config_version, orders.command, orders.maintenance]);
    if (now !== last) write(`event: ${KIOSK_ORDERS_EVENT}\ndata: ${JSON.stringify(orders)}\n\n`);
    else if (Date.now() - writtenAt >= HEARTBEAT_MS) write(': still here\n\n');
    last = now;
  }

  const lookOrEnd = () => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch((error: unknown) => {
        if (error instanceof ServiceError && error.code === 'invalid_kiosk_token') {
          write(`event: ${KIOSK_REVOKED_EVENT}\ndata: {}\n\n`);
        } else {
          request.log.warn({ err: error }, 'orders stream closed');
        }
        stream.end();
      })
      .finally(() => {
        isLooking = false;
      });
  };
  const timer = setInterval(lookOrEnd, LOOK_EVERY_MS);
  const unfollow = deps.events.followAll({ changed: () => undefined, drained: () => void stream.end() });
  stream.on('close', () => {
    clearInterval(timer);
    unfollow();
  });
  lookOrEnd();
}
