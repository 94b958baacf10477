import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceDeps } from '../../services/deps.ts';
import { readSnapshot } from '../../services/flow.ts';
import { openEventStream } from '../event-stream.ts';

/** Keeps proxies from closing a quiet stream, and bounds how long a change made elsewhere goes unseen. */
const HEARTBEAT_MS = 15_000;
/** A reader that takes nothing for this many bytes is gone or hostile. */
const MAX_BACKLOG_BYTES = 256 * 1024;

/** Server-sent events: the snapshot now, and again whenever it changes. */
export function streamSnapshots(
  deps: ServiceDeps,
  sessionId: string,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const stream = openEventStream(reply);
  let last = '';
  const send = async () => {
    if (stream.destroyed) return;
    if (stream.writableLength > MAX_BACKLOG_BYTES) {
      stream.destroy();
      return;
    }
    const data = JSON.stringify(await readSnapshot(deps, sessionId));
    if (data === last) {
      stream.write(': still here\n\n');
      return;
    }
    last = data;
    stream.write(`event: snapshot\ndata: ${data}\n\n`);
  };
  const sendOrClose = () => {
    send().catch((error: unknown) => {
      request.log.warn({ err: error }, 'event stream closed');
      stream.destroy();
    });
  };
  const unfollow = deps.events.follow(sessionId, { changed: sendOrClose, drained: () => void stream.end() });
  const heartbeat = setInterval(sendOrClose, HEARTBEAT_MS);
  const stop = () => {
    clearInterval(heartbeat);
    unfollow();
  };
  stream.on('close', stop);
  sendOrClose();
}
