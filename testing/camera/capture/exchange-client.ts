/** A page in a capture, without a browser: sends and receives its messages over either transport. */
import {
  CAPTURE_PROTOCOL,
  stillPrefix,
  type ClientMessage,
  type CaptureAnswers,
  type CaptureMode,
  type CaptureRequest,
  type ServerMessage,
} from '../../../server/contract/capture.ts';

export type FlowTarget = { baseUrl: string; sessionId: string; flowToken: string };

export type WirePage = {
  say: (message: ClientMessage) => void;
  still: (header: { request: number; seq: number; signature?: string }, jpeg: Uint8Array) => void;
  /** The next unread message; null if the connection is closed. */
  hear: () => Promise<ServerMessage | null>;
  /** Closes the connection without a message. */
  drop: () => void;
};

export type Carrier = 'socket' | 'posts';

/** Opens a connection. The page still has to send `hello`. */
export async function connectPage(target: FlowTarget, carrier: Carrier = 'socket'): Promise<WirePage> {
  return carrier === 'socket' ? openSocket(target) : openPosts(target);
}

export const helloOf = (
  { flowToken }: FlowTarget,
  change: {
    mode?: CaptureMode;
    resume_key?: string;
    calm?: boolean;
    camera?: { virtual: boolean; changed: boolean };
  } = {},
): ClientMessage => ({
  type: 'hello',
  protocol: CAPTURE_PROTOCOL,
  mode: 'coached',
  flow_token: flowToken,
  ...change,
});

function createInbox() {
  const messages: (ServerMessage | null)[] = [];
  const waiting: ((message: ServerMessage | null) => void)[] = [];
  return {
    put(message: ServerMessage | null) {
      const next = waiting.shift();
      if (next) next(message);
      else messages.push(message);
    },
    next: (): Promise<ServerMessage | null> => {
      const [first] = messages;
      if (first === null) return Promise.resolve(null);
      if (first !== undefined) return Promise.resolve(messages.shift() ?? null);
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
}

async function openSocket({ baseUrl, sessionId }: FlowTarget): Promise<WirePage> {
  const inbox = createInbox();
  const socket = new WebSocket(`${baseUrl.replace(/^http/, 'ws')}/flow/sessions/${sessionId}/capture`);
  const opened = Promise.withResolvers<undefined>();
  socket.addEventListener('open', () => opened.resolve(undefined));
  socket.addEventListener('error', () => opened.reject(new Error('The socket could not be opened.')));
  socket.addEventListener('message', ({ data }) => inbox.put(JSON.parse(String(data)) as ServerMessage));
  socket.addEventListener('close', () => inbox.put(null));
  await opened.promise;
  return {
    say: (message) => socket.send(JSON.stringify(message)),
    still: (header, jpeg) => socket.send(bytesOf(header, jpeg)),
    hear: inbox.next,
    drop: () => socket.close(),
  };
}

/** One POST at a time, and a poll if there is no message. */
function openPosts({ baseUrl, sessionId, flowToken }: FlowTarget): WirePage {
  const inbox = createInbox();
  let isOpen = true;
  let hasHello = false;
  const post = async (type: string, body: string | Uint8Array<ArrayBuffer>) => {
    const response = await fetch(`${baseUrl}/flow/sessions/${sessionId}/capture/messages`, {
      method: 'POST',
      headers: { 'content-type': type, 'x-flow-token': flowToken },
      body,
    });
    if (!response.ok) throw new Error(`A message was answered with ${response.status}.`);
    const { messages } = (await response.json()) as CaptureAnswers;
    for (const message of messages) {
      inbox.put(message);
      const isLast =
        message.type === 'verdict' || message.type === 'again' || (message.type === 'error' && message.fatal);
      if (isLast) end();
    }
  };
  const end = () => {
    isOpen = false;
    inbox.put(null);
  };
  const isEnded = () => !isOpen;
  let queue = Promise.resolve();
  const enqueue = (type: string, body: string | Uint8Array<ArrayBuffer>) => {
    queue = queue.then(() => post(type, body)).catch(end);
  };
  const poll = async () => {
    for (;;) {
      await queue;
      if (isEnded()) return;
      await post('application/json', JSON.stringify({ type: 'poll' }));
    }
  };
  return {
    say(message) {
      enqueue('application/json', JSON.stringify(message));
      if (message.type !== 'hello' || hasHello) return;
      hasHello = true;
      poll().catch(end);
    },
    still: (header, jpeg) => enqueue('application/octet-stream', bytesOf(header, jpeg)),
    hear: inbox.next,
    drop: () => (isOpen = false),
  };
}

function bytesOf(header: { request: number; seq: number }, jpeg: Uint8Array): Uint8Array<ArrayBuffer> {
  const prefix = stillPrefix({ type: 'still', ...header });
  const bytes = new Uint8Array(prefix.length + jpeg.length);
  bytes.set(prefix);
  bytes.set(jpeg, prefix.length);
  return bytes;
}

/** The stills that a person shows for a request, and how long that takes. */
export type WirePerson = {
  /** @param place 0 for a request's first still */
  show: (request: CaptureRequest, place: number) => Promise<Uint8Array>;
  /** Waits from the request to its first still; the server may not accept one sooner than `opens_in_ms`. */
  react: (request: CaptureRequest) => Promise<void>;
};

/**
 * Answers every request until the capture ends.
 * @param until stops earlier, with the message for which it returned true
 * @returns all received messages, and the last one
 */
export async function followRequests(
  page: WirePage,
  person: WirePerson,
  until: (message: ServerMessage) => boolean = () => false,
): Promise<{ heard: ServerMessage[]; last: ServerMessage | null }> {
  const heard: ServerMessage[] = [];
  const sent = new Map<number, () => void>();
  let seq = 0;
  for (;;) {
    const message = await page.hear();
    if (message === null) return { heard, last: heard.at(-1) ?? null };
    heard.push(message);
    if (message.type === 'welcome') seq = message.next_seq;
    if (until(message) || message.type === 'verdict' || message.type === 'again')
      return { heard, last: message };
    if (message.type === 'error' && message.fatal) return { heard, last: message };
    const resend = message.type === 'wait' ? sent.get(message.seq) : undefined;
    if (message.type === 'wait' && resend) setTimeout(resend, message.retry_in_ms);
    if (message.type !== 'request') continue;
    await person.react(message);
    for (let place = 0; place < message.stills; place += 1) {
      const jpeg = await person.show(message, place);
      const header = { request: message.id, seq };
      const send = () => page.still(header, jpeg);
      sent.set(seq, send);
      send();
      seq += 1;
    }
  }
}
