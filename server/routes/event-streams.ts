/**
 * Server-sent events (HTML Living Standard §9.2): a stream is bounded and known from the first line of its route, so that
 * a client who leaves at any moment leaves nothing behind.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { placeOf } from '../domain/address.ts';
import { Refusal } from '../refusals/refusal.ts';
import { inTurns } from '../services/ports/turns.ts';
const MAX_BACKLOG_BYTES = 64 * 1024;
const RETRY_S = 10;

export const STREAM_LIMITS = {
  /** Tabs of one operator, or a page that reloads and whose network changes. */
  ofHolder: 4,
  /** A venue’s guests share one address. */
  ofAddress: 1_000,
  altogether: 5_000,
} as const;

export type EventStream = {
  /** Aborts when the client leaves or the stream ends. */
  readonly signal: AbortSignal;
  /** Calls back once when the signal aborts, at once if it has. */
  onEnd(callback: () => void): void;
  /** Writes the head of the reply. Until then the route may refuse with a status. */
  begin(): void;
  /** A reader that has not read the longest backlog is gone. Does nothing before the beginning and after the end. */
  write(text: string): void;
  end(): void;
};

/** The open streams of one application. */
export type StreamPlaces = { open: () => number; take: (of: Holder, end: () => void) => () => void };

type Holder = {
  /** Whose streams these are: a token or a session. */
  holder: string;
  address: string;
  /**
   * A page that reloads or changes networks may have left streams that still look open, so its oldest ends. Tabs that would
   * end each other’s in turn are refused instead.
   */
  whenFull: 'oldest ends' | 'refused';
};

export function createStreamPlaces(
  limits: Record<keyof typeof STREAM_LIMITS, number> = STREAM_LIMITS,
): StreamPlaces {
  /** By age. */
  const ofHolder = new Map<string, Set<() => void>>();
  const ofAddress = new Map<string, number>();
  let altogether = 0;
  const count = (address: string, change: 1 | -1) => {
    altogether += change;
    const now = (ofAddress.get(address) ?? 0) + change;
    if (now > 0) ofAddress.set(address, now);
    else ofAddress.delete(address);
  };
  return {
    open: () => altogether,
    take({ holder, address, whenFull }, end) {
      const own = ofHolder.get(holder) ?? new Set();
      const [oldest] = own;
      const isFull = own.size >= limits.ofHolder;
      if (isFull && whenFull === 'oldest ends') oldest?.();
      else if (isFull) throw new Refusal('too_many_streams', { retryAfterS: RETRY_S });
      if (altogether >= limits.altogether) throw new Refusal('streams_busy', { retryAfterS: RETRY_S });
      if ((ofAddress.get(address) ?? 0) >= limits.ofAddress)
        throw new Refusal('too_many_streams', { retryAfterS: RETRY_S });
      own.add(end);
      ofHolder.set(holder, own);
      count(address, 1);
      return () => {
        if (!own.delete(end)) return;
        if (own.size === 0) ofHolder.delete(holder);
        count(address, -1);
      };
    },
  };
}

declare module 'fastify' {
  interface FastifyInstance {
    streamPlaces: StreamPlaces;
  }
}

/**
 * Call it in the first line of the route, before anything is awaited.
 * @throws Refusal `too_many_streams`, `streams_busy`
 */
export function openEventStream(
  request: FastifyRequest,
  reply: FastifyReply,
  of: Omit<Holder, 'address'>,
): EventStream {
  const { raw } = reply;
  const { socket } = request.raw;
  const over = new AbortController();
  const { signal } = over;
  const leave = () => over.abort();
  const stream: EventStream = {
    signal,
    onEnd(callback) {
      if (signal.aborted) callback();
      else signal.addEventListener('abort', callback, { once: true });
    },
    begin() {
      reply.hijack();
      if (raw.destroyed) return;
      raw.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        // No proxy may cache or buffer it.
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        'x-content-type-options': 'nosniff',
      });
      if (signal.aborted) raw.end();
      else raw.flushHeaders();
    },
    write(text) {
      if (signal.aborted || !raw.headersSent) return;
      if (raw.writableLength > MAX_BACKLOG_BYTES) raw.destroy();
      else raw.write(text);
    },
    end() {
      leave();
      if (raw.headersSent) raw.end();
    },
  };
  const free = request.server.streamPlaces.take({ ...of, address: placeOf(request.ip) }, () => stream.end());
  // The reply’s own event also comes after a refusal; the socket’s alone while an earlier reply is still being sent.
  raw.once('close', leave);
  socket.once('close', leave);
  stream.onEnd(() => {
    socket.off('close', leave);
    free();
  });
  if (raw.destroyed || socket.destroyed) leave();
  return stream;
}

type Feed<Member> = { members: Set<Member>; look: () => void; stop: () => void };

/**
 * Streams about one subject share its reads: one when it changes, whatever the number of streams, and one more for all
 * changes meanwhile.
 * @param read reads the subject and writes to its members; errors are its own. Returns in how many milliseconds the
 *   subject changes by the clock, if it does
 * @param follow calls `look` at each change and at the slow look, until the returned function is called. So each stream is
 *   also written to from time to time, which keeps proxies from closing it
 */
export function createFeeds<Member>(
  read: (key: string, members: ReadonlySet<Member>) => Promise<number | undefined>,
  follow: (key: string, look: () => void, members: ReadonlySet<Member>) => () => void,
): (key: string, member: Member, stream: Pick<EventStream, 'onEnd'>) => void {
  const feeds = new Map<string, Feed<Member>>();
  function begin(key: string): Feed<Member> {
    const members = new Set<Member>();
    // Errors of `read` are its own.
    const turns = inTurns(
      () => read(key, members),
      () => undefined,
    );
    const unfollow = follow(key, turns.next, members);
    const stop = () => {
      unfollow();
      turns.stop();
    };
    const feed = { members, look: turns.next, stop };
    feeds.set(key, feed);
    return feed;
  }
  return (key, member, stream) => {
    const feed = feeds.get(key) ?? begin(key);
    feed.members.add(member);
    stream.onEnd(() => {
      feed.members.delete(member);
      if (feed.members.size > 0 || feeds.get(key) !== feed) return;
      feeds.delete(key);
      feed.stop();
    });
    feed.look();
  };
}
