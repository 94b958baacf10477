import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceDeps } from '../deps.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { authoriseFlow } from '../../services/runs/flow.ts';
import { snapshotOf } from '../../services/runs/sessions/session-view.ts';
import { createFeeds, type EventStream, openEventStream } from '../event-streams.ts';

type Session = Awaited<ReturnType<typeof authoriseFlow>>;
type Reader = { stream: EventStream; flowToken: string | null; last: string; log: FastifyRequest['log'] };

/** Server-sent events: the snapshot immediately and after every change, while the token holds the run. */
export function createSnapshotStreams(
  deps: Pick<ServiceDeps, 'db' | 'clock' | 'tokens' | 'connect' | 'codes' | 'events' | 'recording'>,
) {
  const join = createFeeds<Reader>(read, (sessionId, look, readers) => {
    const drained = () => {
      for (const { stream } of readers) stream.end();
    };
    return deps.events.follow(sessionId, { changed: look, drained });
  });

  /** Each token is checked; the snapshot is the same for all. */
  async function read(sessionId: string, readers: ReadonlySet<Reader>): Promise<undefined> {
    let snapshot: Promise<string> | undefined;
    const snapshotFor = (session: Session) =>
      (snapshot ??= snapshotOf(deps, session).then((value) => JSON.stringify(value)));
    const sessions = new Map<string | null, Promise<Session>>();
    const sessionFor = (flowToken: string | null) => {
      const session = sessions.get(flowToken) ?? authoriseFlow(deps, sessionId, flowToken);
      sessions.set(flowToken, session);
      return session;
    };
    await Promise.all(
      Array.from(readers, async (reader) => {
        try {
          const data = await snapshotFor(await sessionFor(reader.flowToken));
          reader.stream.write(
            data === reader.last ? ': still here\n\n' : `event: snapshot\ndata: ${data}\n\n`,
          );
          reader.last = data;
        } catch (error) {
          // The run may have moved to another browser; the page asks again and is told.
          if (!(error instanceof Refusal)) reader.log.warn({ err: error }, 'event stream closed');
          reader.stream.end();
        }
      }),
    );
  }

  return async (
    request: FastifyRequest<{ Params: { session_id: string } }>,
    reply: FastifyReply,
    flowToken: string | null,
  ): Promise<void> => {
    const sessionId = request.params.session_id;
    const stream = openEventStream(request, reply, {
      holder: `${sessionId} ${flowToken}`,
      whenFull: 'oldest ends',
    });
    await authoriseFlow(deps, sessionId, flowToken);
    stream.begin();
    join(sessionId, { stream, flowToken, last: '', log: request.log }, stream);
  };
}
