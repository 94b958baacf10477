/**
 * The page's end of a capture (`docs/explanation/capture.md`): one conversation with the server over a WebSocket, or
 * over POSTs where none can be opened. A lost connection is opened again, and the capture continues where it was.
 */
import {
  CAPTURE_BOUNDS,
  CAPTURE_PROTOCOL,
  type AgainReason,
  type ClientMessage,
  type Hello,
  type CaptureRequest,
  type ServerMessage,
} from '../../../server/contract/capture.ts';
import type { Snapshot } from '../../../server/contract/flow.ts';
import { createStillOutbox, type Sign } from './still-outbox.ts';

/** The transport of the messages. Nothing is sent before `onOpen` or after `close`. */
export type Carrier = {
  send: (message: ClientMessage) => void;
  sendStill: (still: Blob) => void;
  close: () => void;
};

export type CarrierEvents = {
  onOpen: () => void;
  onMessage: (message: ServerMessage) => void;
  /** The transport broke, or could not be opened. Called once, and not after `close`. */
  onLost: () => void;
};

export type OpenCarrier = (events: CarrierEvents) => Carrier;

export type Carriers = {
  socket: OpenCarrier;
  posts: OpenCarrier;
  /** For the first message on a WebSocket. */
  token: () => string | null;
  /** For a paired kiosk: signs the stills if the server asks for it; null if the device has no key. */
  signer?: () => Promise<Sign | null>;
};

/** The data needed to resume a capture on another connection, or after the page was hidden. */
export type ResumeMemory = {
  key: string | null;
  /** Device id of the capture's camera: another camera begins another capture. */
  cameraId?: string;
};

export type Judged = Extract<ServerMessage, { type: 'judged' }>;

export type ClientEvents = {
  /** A new capture has started: anything before it does not count. */
  onBegun: () => void;
  onRequest: (request: CaptureRequest) => void;
  onJudged: (judged: Judged) => void;
  /** The person has nothing to do for now. Another request may follow if the server has doubts. */
  onChecking: () => void;
  onVerdict: (snapshot: Snapshot) => void;
  /** The capture ended without a verdict. Except after `taken_over`, the client starts again automatically. */
  onAgain: (reason: AgainReason) => void;
  /**
   * The server refused the capture.
   * @param code one of the flow API's errors or a `CaptureErrorCode`
   */
  onRefused: (code: string) => void;
  /** Called when a connection is lost, and when it is back. */
  onConnected: (isConnected: boolean) => void;
};

type CameraHints = NonNullable<Hello['camera']>;
type Greeting = Pick<Hello, 'mode' | 'calm'> & { camera: CameraHints };

export type CaptureClient = {
  /** Sends `hello` as soon as the connection is open; stills may follow the first request. */
  start: (greeting: Greeting) => void;
  /** Whether another still would be accepted now. */
  canSend: () => boolean;
  /** Sends a still; it is kept and sent again until the server has it. */
  sendStill: (requestId: number, jpeg: Blob) => void;
  /** Abandons the current capture and starts another one. */
  restart: (greeting: Greeting) => void;
  /** Abandons the capture permanently. */
  leave: () => void;
  /** Closes the connection; the capture can be resumed with the same memory. */
  close: () => void;
};

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 2_000;
/** One failure may mean that a transport does not work here; after the second the person is told. */
const FAILURES_TOLD = 2;
/** After this long without a message, the page asks whether the server is there. */
const ASK_AFTER_MS = 2_500;
/** Without any message for this long, the person is told; a connection that carries no still is given up. */
const SILENT_AFTER_MS = 5_000;
/** A still on a slow network may take this long. */
const STILL_WITHIN_MS = 8_000;

/** If WebSockets failed but POSTs worked, the page's next captures start with POSTs. */
const SOCKET_RETRIED_AFTER_MS = 600_000;
let socketBlockedUntilMs = 0;

export function createCaptureClient(
  { socket, posts, token, signer }: Carriers,
  memory: ResumeMemory,
  events: ClientEvents,
): CaptureClient {
  let carrier: Carrier | null = null;
  let isOpen = false;
  let isWelcome = false;
  let isOver = false;
  let usesSocket = Date.now() >= socketBlockedUntilMs;
  let greeting: Greeting | null = null;
  let failures = 0;
  let lastRequest: CaptureRequest | null = null;
  let reconnecting: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let heardAtMs = 0;
  let connectedAtMs = 0;
  const outbox = createStillOutbox((still) => {
    if (carrier !== null && isWelcome) carrier.sendStill(still);
  }, signer);

  /** Watches an open connection: whatever the transport reports, a server that is silent is out of reach. */
  const watch = () => {
    clearTimeout(silence);
    const quietMs = performance.now() - heardAtMs;
    const endsMs = outbox.size() > 0 ? STILL_WITHIN_MS : SILENT_AFTER_MS;
    const isSilent = quietMs >= SILENT_AFTER_MS;
    if (isSilent && failures < FAILURES_TOLD) {
      failures = FAILURES_TOLD;
      events.onConnected(false);
    }
    if (quietMs >= endsMs) {
      lost();
      return;
    }
    // Over POSTs, the carrier polls.
    if (quietMs >= ASK_AFTER_MS && !isSilent && usesSocket) carrier?.send({ type: 'poll' });
    const nextMs = quietMs < ASK_AFTER_MS ? ASK_AFTER_MS : isSilent ? endsMs : SILENT_AFTER_MS;
    silence = setTimeout(watch, nextMs - quietMs);
  };

  const disconnect = () => {
    clearTimeout(reconnecting);
    clearTimeout(silence);
    outbox.pause();
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
    lastRequest = null;
  };

  const sayHello = () => {
    if (carrier === null || !isOpen || isWelcome || greeting === null) return;
    const flowToken = usesSocket ? token() : null;
    carrier.send({
      type: 'hello',
      protocol: CAPTURE_PROTOCOL,
      ...greeting,
      ...(flowToken !== null && { flow_token: flowToken }),
      ...(memory.key !== null && { resume_key: memory.key }),
    });
  };

  const hear = (message: ServerMessage) => {
    heardAtMs = performance.now();
    if (isWelcome) {
      if (failures >= FAILURES_TOLD) events.onConnected(true);
      failures = 0;
      watch();
    }
    switch (message.type) {
      case 'here':
        return;
      case 'welcome': {
        isWelcome = true;
        watch();
        if (failures >= FAILURES_TOLD) events.onConnected(true);
        failures = 0;
        if (!usesSocket) socketBlockedUntilMs = Date.now() + SOCKET_RETRIED_AFTER_MS;
        const continues = message.resumed && memory.key !== null;
        if (!continues) forgetCapture();
        memory.key = message.resume_key;
        outbox.resume(message.next_seq, message.sign_nonce ?? null);
        if (!continues) events.onBegun();
        return;
      }
      case 'request':
        // Over POSTs, answers may overtake each other; after resuming, the current request is repeated.
        if (message.id <= (lastRequest?.id ?? 0)) return;
        lastRequest = message;
        events.onRequest(message);
        return;
      case 'judged':
        outbox.remove(message.seq);
        events.onJudged(message);
        return;
      case 'wait':
        outbox.sendAgainIn(message.seq, message.retry_in_ms);
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
          // Over POSTs: the server was restarted and does not know the capture.
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
    connectedAtMs = performance.now();
  };
  const reconnectIn = (pauseMs: number) => {
    disconnect();
    reconnecting = setTimeout(connect, pauseMs);
  };
  function lost() {
    if (isOver) return;
    const wasWelcome = isWelcome;
    // A proxy may refuse WebSockets, or the server may be away: both transports are tried in turn.
    if (!wasWelcome) usesSocket = !usesSocket;
    // Before a greeting nothing is lost: the connection is opened again once there is a message.
    if (greeting === null) {
      disconnect();
      return;
    }
    const isSilent = wasWelcome && performance.now() - heardAtMs >= ASK_AFTER_MS;
    if (isSilent && failures < FAILURES_TOLD) failures = FAILURES_TOLD - 1;
    failures += 1;
    if (failures === FAILURES_TOLD) events.onConnected(false);
    // A try that hung was pause enough.
    const pauseMs = failures === 1 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 2));
    reconnectIn(Math.max(0, pauseMs - (performance.now() - connectedAtMs)));
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
    canSend: () => isWelcome && outbox.size() < CAPTURE_BOUNDS.maxUnjudged,
    sendStill(requestId, jpeg) {
      if (isOver) return;
      outbox.add(requestId, lastRequest?.id === requestId ? lastRequest : null, jpeg);
    },
    restart(next) {
      // Over POSTs, it might arrive after the next hello, which ends the capture as well because it has no key.
      if (isWelcome && usesSocket) carrier?.send({ type: 'leave' });
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
