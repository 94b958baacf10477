import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceDeps } from '../../services/deps.ts';
import { ServiceError } from '../../services/errors.ts';
import { authoriseFlow } from '../../services/runs/flow.ts';
import { snapshotOf } from '../../services/runs/sessions/session-view.ts';
import { HEARTBEAT_MS, openEventStream } from '../headers.ts';

/** A reader that has not read this many bytes is gone or hostile. */
const MAX_BACKLOG_BYTES = 256 * 1024;

/** Server-sent events: the snapshot immediately and after every change, while the token holds the run. */
export function streamSnapshots(
  deps: Pick<ServiceDeps, 'db' | 'clock' | 'tokens' | 'connect' | 'events'>,
  sessionId: string,
  flowToken: string | null,
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
    const data = JSON.stringify(await snapshotOf(deps, await authoriseFlow(deps, sessionId, flowToken)));
    if (data === last) {
      stream.write(': still here\n\n');
      return;
    }
    last = data;
    stream.write(`event: snapshot\ndata: ${data}\n\n`);
  };
  const sendOrClose = () => {
    send().catch((error: unknown) => {
      // The run has moved to another browser; the page asks again and is told.
      if (error instanceof ServiceError) return void stream.end();
      request.log.warn({ err: error }, 'event stream closed');
      stream.destroy();
    });
  };
  const unfollow = deps.events.follow(sessionId, { changed: sendOrClose, drained: () => void stream.end() });
  // Also limits how long a change by another process goes unnoticed.
  const heartbeat = setInterval(sendOrClose, HEARTBEAT_MS);
  const stop = () => {
    clearInterval(heartbeat);
    unfollow();
  };
  stream.on('close', stop);
  sendOrClose();
}
