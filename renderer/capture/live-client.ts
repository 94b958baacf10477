/**
 * The page's end of a live capture (`docs/live-capture.md`): one conversation with the server over a WebSocket, or over
 * POSTs where none can be opened. A lost connection is opened again, and the capture continues where it was.
 */
import {
  LIVE_LIMITS,
  LIVE_PROTOCOL,
  stillPrefix,
  type AgainReason,
  type ClientMessage,
  type Hello,
  type LiveRequest,
  type ServerMessage,
  type StillHeader,
} from '../../server/contract/capture-live.ts';
import type { Snapshot } from '../../server/contract/flow.ts';

/** What carries the messages. Nothing is sent before `onOpen` nor after `close`. */
export type Carrier = {
  send: (message: ClientMessage) => void;
  sendStill: (still: Blob) => void;
  close: () => void;
};

export type CarrierEvents = {
  onOpen: () => void;
  onMessage: (message: ServerMessage) => void;
  /** The carrier broke, or could not be opened. Told once, and not after `close`. */
  onLost: () => void;
};

export type OpenCarrier = (events: CarrierEvents) => Carrier;

export type LiveCarriers = {
  socket: OpenCarrier;
  posts: OpenCarrier;
  /** For the first message on a WebSocket. */
  token: () => string | null;
  /** Of a paired kiosk: signs the stills where the server asks for it; null where the device has no key. */
  signer?: () => Promise<Sign | null>;
};

/** Signs a text; base64url. */
export type Sign = (text: string) => Promise<string>;

/** What a capture needs to continue on another connection, or after the page was hidden. */
export type ResumeMemory = { key: string | null };

export type Judged = Extract<ServerMessage, { type: 'judged' }>;

export type LiveEvents = {
  /** A new capture has begun: whatever the person did before counts for nothing. */
  onBegun: () => void;
  onRequest: (request: LiveRequest) => void;
  onJudged: (judged: Judged) => void;
  /** Nothing is asked of the person for now. A request may still follow, where the server has doubts. */
  onChecking: () => void;
  onVerdict: (snapshot: Snapshot) => void;
  /** The capture ended without a verdict. After all but `taken_over` the client begins again on its own. */
  onAgain: (reason: AgainReason) => void;
  /** The server refused the capture. @param code one of the flow API's errors or of `LIVE_ERRORS` */
  onRefused: (code: string) => void;
  /** Told when a connection is lost, and when it is back. */
  onConnected: (isConnected: boolean) => void;
};

export type CameraHints = NonNullable<Hello['camera']>;
export type Greeting = Pick<Hello, 'mode' | 'calm'> & { camera: CameraHints };

export type LiveClient = {
  /** Says `hello` as soon as the connection is open; stills may follow the first request. */
  start: (greeting: Greeting) => void;
  /** Whether another still would be taken now. */
  canSend: () => boolean;
  /** Sends a still; kept and sent again until the server has it. */
  sendStill: (requestId: number, jpeg: Blob) => void;
  /** The camera became another one. */
  reportCamera: (camera: CameraHints) => void;
  /** Gives the present capture up and begins another one. */
  restart: (greeting: Greeting) => void;
  /** Gives the capture up for good. */
  leave: () => void;
  /** Ends the connection; the capture may be resumed with the same memory. */
  close: () => void;
};

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
/** One failure may be a carrier that does not work here; after the second the person is told. */
const FAILURES_TOLD = 2;
/** A server that says nothing to a still for this long is out of reach, whatever the carrier believes. */
const SILENT_AFTER_MS = 8_000;

/** Where no WebSocket got through but POSTs did, the next captures of this page begin with POSTs. */
const SOCKET_RETRIED_AFTER_MS = 600_000;
let socketBlockedUntilMs = 0;

export function createLiveClient(
  { socket, posts, token, signer }: LiveCarriers,
  memory: ResumeMemory,
  events: LiveEvents,
): LiveClient {
  let carrier: Carrier | null = null;
  let isOpen = false;
  let isWelcome = false;
  let isOver = false;
  let usesSocket = Date.now() >= socketBlockedUntilMs;
  let greeting: Greeting | null = null;
  let failures = 0;
  let lastRequest: LiveRequest | null = null;
  let signNonce: string | null = null;
  let nextSeq = 0;
  /** Stills that the server has not judged yet, by their `seq`; without a header until they are signed. */
  const outbox = new Map<number, { header: StillHeader | null; jpeg: Blob }>();
  let signing = Promise.resolve();
  let reconnecting: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  const resending = new Map<number, ReturnType<typeof setTimeout>>();

  const stopTimers = () => {
    clearTimeout(reconnecting);
    clearTimeout(silence);
    for (const timer of resending.values()) clearTimeout(timer);
    resending.clear();
  };
  const disconnect = () => {
    stopTimers();
    isOpen = isWelcome = false;
    const used = carrier;
    carrier = null;
    used?.close();
  };
  const finish = () => {
    isOver = true;
    disconnect();
    outbox.clear();
    window.removeEventListener('offline', lost);
    window.removeEventListener('online', hurry);
  };
  const forgetCapture = () => {
    memory.key = null;
    outbox.clear();
    nextSeq = 0;
    lastRequest = null;
  };

  const post = (seq: number) => {
    const still = outbox.get(seq);
    if (!still?.header || carrier === null || !isWelcome) return;
    const prefix = stillPrefix(still.header);
    carrier.sendStill(new Blob([prefix, still.jpeg], { type: 'application/octet-stream' }));
    silence ??= setTimeout(lost, SILENT_AFTER_MS);
  };
  const sayHello = () => {
    if (carrier === null || !isOpen || isWelcome || greeting === null) return;
    const flowToken = usesSocket ? token() : null;
    carrier.send({
      type: 'hello',
      protocol: LIVE_PROTOCOL,
      ...greeting,
      ...(flowToken !== null && { flow_token: flowToken }),
      ...(memory.key !== null && { resume_key: memory.key }),
    });
  };

  const hear = (message: ServerMessage) => {
    clearTimeout(silence);
    silence = undefined;
    switch (message.type) {
      case 'welcome': {
        isWelcome = true;
        if (failures >= FAILURES_TOLD) events.onConnected(true);
        failures = 0;
        if (!usesSocket) socketBlockedUntilMs = Date.now() + SOCKET_RETRIED_AFTER_MS;
        const continues = message.resumed && memory.key !== null;
        if (!continues) forgetCapture();
        memory.key = message.resume_key;
        signNonce = message.sign_nonce ?? null;
        nextSeq = Math.max(message.next_seq, ...[...outbox.keys()].map((seq) => seq + 1));
        if (!continues) events.onBegun();
        for (const seq of [...outbox.keys()]) {
          if (seq < message.next_seq) outbox.delete(seq);
          else post(seq);
        }
        return;
      }
      case 'request':
        // Over POSTs, answers may overtake each other; after a resumption the present one is repeated.
        if (message.id <= (lastRequest?.id ?? 0)) return;
        lastRequest = message;
        events.onRequest(message);
        return;
      case 'judged':
        outbox.delete(message.seq);
        events.onJudged(message);
        return;
      case 'wait':
        clearTimeout(resending.get(message.seq));
        resending.set(
          message.seq,
          setTimeout(() => post(message.seq), message.retry_in_ms),
        );
        return;
      case 'checking':
        events.onChecking();
        return;
      case 'verdict':
        memory.key = null;
        finish();
        events.onVerdict(message.snapshot);
        return;
      case 'again':
        forgetCapture();
        if (message.reason === 'taken_over') finish();
        else reconnectIn(message.reason === 'restarting' ? FIRST_PAUSE_MS : 0);
        events.onAgain(message.reason);
        return;
      case 'error':
        if (message.retry_in_ms !== undefined && message.code === 'too_many_captures') {
          failures = FAILURES_TOLD;
          events.onConnected(false);
          reconnectIn(message.retry_in_ms);
        } else if (message.code === 'hello_required') {
          // Over POSTs: the server was restarted and knows nothing of the capture.
          reconnectIn(0);
        } else if (message.fatal) {
          memory.key = null;
          finish();
          events.onRefused(message.code);
        }
        return;
    }
  };
  const connect = () => {
    if (isOver || carrier !== null) return;
    const open = usesSocket ? socket : posts;
    const mine = open({
      onOpen() {
        isOpen = true;
        sayHello();
      },
      onMessage: (message) => {
        if (carrier === mine) hear(message);
      },
      onLost: () => {
        if (carrier === mine) lost();
      },
    });
    carrier = mine;
  };
  const reconnectIn = (pauseMs: number) => {
    disconnect();
    reconnecting = setTimeout(connect, pauseMs);
  };
  function lost() {
    if (isOver) return;
    const wasWelcome = isWelcome;
    // A proxy may refuse WebSockets, or the server be gone altogether: both carriers are tried in turn.
    if (!wasWelcome) usesSocket = !usesSocket;
    // Without a greeting nothing is lost yet: the connection is opened again once there is something to say.
    if (greeting === null) {
      disconnect();
      return;
    }
    failures += 1;
    if (failures === FAILURES_TOLD) events.onConnected(false);
    reconnectIn(failures === 1 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 2)));
  }
  function hurry() {
    if (!isOver && carrier === null) reconnectIn(0);
  }
  const start = (next: Greeting) => {
    greeting = next;
    if (carrier === null) connect();
    else sayHello();
  };

  window.addEventListener('offline', lost);
  window.addEventListener('online', hurry);
  connect();

  return {
    start,
    canSend: () => isWelcome && outbox.size < LIVE_LIMITS.maxUnjudged,
    sendStill(requestId, jpeg) {
      if (isOver) return;
      const header = { type: 'still', request: requestId, seq: nextSeq } as const;
      nextSeq += 1;
      const still: { header: StillHeader | null; jpeg: Blob } = { header: null, jpeg };
      outbox.set(header.seq, still);
      const ready = (signature: string | null) => {
        still.header = { ...header, ...(signature !== null && { signature }) };
        if (outbox.get(header.seq) === still) post(header.seq);
      };
      if (signNonce === null || signer === undefined || lastRequest?.id !== requestId) ready(null);
      // A still that could not be signed is judged all the same; the capture then counts as untrusted.
      else {
        const [nonce, request] = [signNonce, lastRequest];
        // One after the other: the server takes stills in their order.
        signing = signing
          .then(() => signatureOf(signer, nonce, request, header.seq, jpeg))
          .then(ready, () => ready(null));
      }
    },
    reportCamera(camera) {
      if (greeting !== null) greeting = { ...greeting, camera };
      if (isWelcome) carrier?.send({ type: 'camera', camera });
    },
    restart(next) {
      if (isWelcome) carrier?.send({ type: 'leave' });
      forgetCapture();
      disconnect();
      start(next);
    },
    leave() {
      if (isWelcome) carrier?.send({ type: 'leave' });
      memory.key = null;
      finish();
    },
    close: finish,
  };
}

/** Signs what `docs/explanation/live-capture.md` names; null where the device has no key. */
async function signatureOf(
  signer: () => Promise<Sign | null>,
  nonce: string,
  { id, ask, tint, step }: LiveRequest,
  seq: number,
  jpeg: Blob,
): Promise<string | null> {
  const sign = await signer();
  if (sign === null) return null;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await jpeg.arrayBuffer()));
  const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return sign(['gatehouse still 1', nonce, `${id} ${ask} ${tint ?? step ?? '-'}`, seq, sha256].join('\n'));
}
