/** The two transports of a capture: a WebSocket, and single POSTs for networks that block WebSockets. */
import type { ClientMessage, CaptureAnswers, ServerMessage } from '../../../server/contract/capture.ts';
import { RequestError } from '../../http/request-error.ts';
import type { CarrierEvents, Carriers, OpenCarrier, ResumeMemory } from './client.ts';

/** A WebSocket that has not opened by then is blocked by something in between, or the line is cut. */
const OPEN_WITHIN_MS = 4_000;
/** A message that has no answer by then is lost; a still may take longer on a slow network. */
const ANSWER_WITHIN_MS = { message: 4_000, still: 8_000 } as const;
const POLL_APART_MS = 100;

/** @param address called for each connection */
const openSocket =
  (address: () => string): OpenCarrier =>
  (events) => {
    let isOver = false;
    const over = () => {
      clearTimeout(timer);
      isOver = true;
    };
    const lost = () => {
      if (isOver) return;
      over();
      socket?.close();
      events.onLost();
    };
    const timer = setTimeout(lost, OPEN_WITHIN_MS);
    const socket = newSocket(address());
    if (socket === null) queueMicrotask(lost);
    socket?.addEventListener('open', () => {
      clearTimeout(timer);
      if (!isOver) events.onOpen();
    });
    socket?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (!isOver && typeof data === 'string') events.onMessage(JSON.parse(data) as ServerMessage);
    });
    socket?.addEventListener('close', lost);
    return {
      send: (message) => socket?.send(JSON.stringify(message)),
      sendStill: (still) => socket?.send(still),
      close() {
        over();
        socket?.close();
      },
    };
  };

/** Null if the browser refuses to open one, as some policies and older browsers do. */
function newSocket(address: string): WebSocket | null {
  try {
    return new WebSocket(address);
  } catch {
    return null;
  }
}

/** A refusal that may not last: no reply, an overloaded server, or one that is shutting down. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof RequestError) || error.status === 0 || error.status === 429 || error.status >= 500;

type Post = (message: ClientMessage | Blob, signal: AbortSignal) => Promise<CaptureAnswers>;

/** @param post sends one message; resolves with the server's answers, rejects with a `RequestError` or when aborted */
export const openPosts =
  (post: Post): OpenCarrier =>
  (events) => {
    let isOver = false;
    let isPolling = false;
    /** One message at a time, so that stills arrive in order. */
    let last: Promise<void> = Promise.resolve();

    const exchange = async (message: ClientMessage | Blob): Promise<void> => {
      // The next connection begins with its own stills, or sends these again.
      if (isOver && message instanceof Blob) return;
      const limit = new AbortController();
      const withinMs = ANSWER_WITHIN_MS[message instanceof Blob ? 'still' : 'message'];
      const timer = setTimeout(() => limit.abort(), withinMs);
      try {
        const { messages } = await post(message, limit.signal);
        // An empty answer shows that the server is there.
        const answers: ServerMessage[] = messages.length > 0 ? messages : [{ type: 'here' }];
        for (const answer of answers) if (!isOver) events.onMessage(answer);
      } catch (error) {
        fail(error, events);
      } finally {
        clearTimeout(timer);
      }
    };
    const fail = (error: unknown, { onLost, onMessage }: CarrierEvents) => {
      if (isOver) return;
      isOver = true;
      if (mayPass(error)) onLost();
      else onMessage({ type: 'error', code: (error as RequestError).code, fatal: true });
    };
    const poll = async () => {
      isPolling = true;
      while (!isOver) {
        const askedAtMs = performance.now();
        await exchange({ type: 'poll' });
        // The server delays a poll until it has a message; another program that answers instead may not.
        const restMs = POLL_APART_MS - (performance.now() - askedAtMs);
        if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
      }
    };
    const send = (message: ClientMessage | Blob) => {
      // Not behind a still: the session's next capture may begin meanwhile, and would be the one that ends.
      if (!(message instanceof Blob) && message.type === 'leave') {
        void exchange(message);
        return;
      }
      last = last.then(() => exchange(message));
      if (!isPolling) void last.then(poll);
    };
    queueMicrotask(() => {
      if (!isOver) events.onOpen();
    });
    return {
      send,
      sendStill: send,
      close: () => {
        isOver = true;
      },
    };
  };

/** The address of a run's capture, from its API. */
export type CaptureEndpoint = {
  /** Of the WebSocket. */
  address: () => string;
  token: () => string | null;
  /** @throws RequestError, or an `AbortError` */
  post: Post;
  /** Exists as long as the run on this page. */
  resume: ResumeMemory;
} & Pick<Carriers, 'signer'>;

export const carriersOf = ({ address, token, post, signer }: CaptureEndpoint): Carriers => ({
  socket: openSocket(address),
  posts: openPosts(post),
  token,
  ...(signer && { signer }),
});
