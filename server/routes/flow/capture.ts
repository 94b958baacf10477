/** The capture's two transports: a WebSocket, and single POSTs. Both feed one capture object. */
import websocket, { type WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RawData } from 'ws';
import {
  CAPTURE_BOUNDS,
  type ClientMessage,
  type CaptureAnswers,
  type ServerMessage,
} from '../../contract/capture.ts';
import { flow } from '../../contract/routes/flow.ts';
import type { Exchange, ExchangeCarrier } from '../../services/capture/exchange.ts';
import { createExchanges, type Exchanges } from '../../services/capture/exchanges.ts';
import type { ServiceDeps } from '../deps.ts';
import { apiDetail } from '../../refusals/codes.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { authoriseFlow } from '../../services/runs/flow.ts';
import { flowTokenOf } from '../headers.ts';
import { acceptFiles } from '../json-bodies.ts';
import { register } from '../register.ts';
import { parseMessage, parseStill } from './capture-messages.ts';

/** A page can open the socket while its camera is still starting. */
const HELLO_WITHIN_MS = 60_000;
/** Sockets of one address without a message so far. */
const MOST_SILENT_PER_ADDRESS = 120;
/** A page that has not read this many bytes is gone. */
const MAX_BACKLOG_BYTES = 256 * 1_024;
/** What a socket may send before its page is known: the first message and a few that follow it, with their frames. */
const MAX_UNKNOWN_BYTES = 4 * CAPTURE_BOUNDS.maxTextBytes;
/** How long a `poll` waits for a message. */
const POLL_MS = 1_000;
/**
 * Messages waiting for a page that polls too rarely; older ones are dropped, because a `hello` returns the state
 * again.
 */
const MOST_WAITING = 64;

/** How long a page may take to confirm that it closes. */
const CLOSING_MS = 500;

const CLOSED = { normal: 1_000, refused: 1_008, restarting: 1_012, tryLater: 1_013 } as const;

export async function captureRoutes(app: FastifyInstance, { deps }: { deps: ServiceDeps }): Promise<void> {
  const captures = createExchanges(deps, (error) => app.log.error({ err: error }, 'capture failed'));
  await app.register(websocket, {
    preClose(done) {
      captures.close();
      const { clients } = app.websocketServer;
      for (const client of clients) client.close(CLOSED.restarting);
      setTimeout(() => {
        for (const client of clients) client.terminate();
      }, CLOSING_MS).unref();
      done();
    },
    options: {
      server: app.captureUpgrades,
      maxPayload: CAPTURE_BOUNDS.maxStillBytes + CAPTURE_BOUNDS.maxTextBytes + 2,
      perMessageDeflate: false,
    },
  });
  // A still is not JSON, so it needs its own body parser.
  acceptFiles(app, ['application/octet-stream']);
  socketRoute(app, captures);
  postRoute(app, deps, captures);
}

function socketRoute(app: FastifyInstance, captures: Exchanges): void {
  const silent = new Map<string, number>();
  const countSilent = (address: string, change: number) => {
    const now = (silent.get(address) ?? 0) + change;
    if (now > 0) silent.set(address, now);
    else silent.delete(address);
  };
  app.route<{ Params: { session_id: string } }>({
    method: 'GET',
    url: '/flow/sessions/:session_id/capture',
    exposeHeadRoute: false,
    onRequest: async (request, reply) => {
      if (!isSameOrigin(request)) await reply.code(403).send({ detail: 'invalid_origin' });
    },
    handler: (_request, reply) =>
      reply
        .code(426)
        .header('upgrade', 'websocket')
        .header('connection', 'upgrade')
        .send({ detail: 'websocket_required' }),
    wsHandler: (socket, request) => {
      const { ip: address } = request;
      let capture: Exchange | null = null;
      let phase: 'silent' | 'opening' | 'open' | 'refused' = 'silent';
      countSilent(address, 1);
      const carrier = socketCarrier(socket);
      const speaks = () => {
        if (phase !== 'silent') return;
        phase = 'opening';
        countSilent(address, -1);
        clearTimeout(helloTimer);
      };
      const refuse = (code: string, closeCode: number = CLOSED.refused) => {
        speaks();
        phase = 'refused';
        carrier.send({ type: 'error', code, fatal: true });
        socket.close(closeCode);
      };
      // Nobody needs more than a first message to say who they are.
      let unknownBytes = 0;
      request.raw.socket.on('data', ({ length }: Buffer) => {
        if (phase === 'open') return;
        unknownBytes += length;
        if (unknownBytes > MAX_UNKNOWN_BYTES) socket.terminate();
      });
      const helloTimer = setTimeout(() => refuse('hello_required'), HELLO_WITHIN_MS).unref();
      if ((silent.get(address) ?? 0) > MOST_SILENT_PER_ADDRESS) refuse('too_many_captures', CLOSED.tryLater);

      const open = async (data: RawData, isBinary: boolean) => {
        const message = isBinary ? null : parseMessage(bytesOf(data));
        if (message?.type !== 'hello') {
          refuse('hello_required');
          return;
        }
        const { flow_token: flowToken = null } = message;
        const sessionId = request.params.session_id;
        capture = await captures.open({ sessionId, flowToken, hello: message, address, carrier });
        if (!capture) socket.close(CLOSED.tryLater);
        else if (socket.readyState === socket.OPEN) phase = 'open';
        else capture.detach(carrier);
      };
      socket.on('message', (data: RawData, isBinary: boolean) => {
        // A refused page may still send until its end of the connection is closed.
        if (phase === 'refused') return;
        if (phase === 'opening') refuse('hello_required');
        else if (phase === 'open' && capture) {
          if (hear(capture, bytesOf(data), isBinary) === 'poll') carrier.send({ type: 'here' });
        } else {
          speaks();
          open(data, isBinary).catch((error: unknown) => {
            if (!(error instanceof Refusal)) request.log.error({ err: error }, 'capture failed');
            refuse(error instanceof Refusal ? apiDetail(error.code) : 'engine_failed');
          });
        }
      });
      socket.on('close', () => {
        speaks();
        capture?.detach(carrier);
      });
      // An error also closes the socket.
      socket.on('error', () => undefined);
    },
  });
}

/** A message of an open capture. Returns the type of the message, if it is one. */
function hear(capture: Exchange, bytes: Buffer, isBinary: boolean): ClientMessage['type'] | undefined {
  if (isBinary) {
    const still = parseStill(bytes);
    if (!still) capture.takeFault('message_invalid');
    else if (still.jpeg.length > CAPTURE_BOUNDS.maxStillBytes) capture.takeFault('still_too_large');
    else capture.takeStill(still.header, still.jpeg);
    return undefined;
  }
  const message = parseMessage(bytes);
  switch (message?.type) {
    case 'camera':
      capture.takeCamera(message.camera);
      break;
    case 'leave':
      capture.abandon();
      break;
    case 'poll':
      break;
    case 'hello':
    case undefined:
      capture.takeFault('message_invalid');
  }
  return message?.type;
}

function socketCarrier(socket: WebSocket): ExchangeCarrier {
  return {
    send(message) {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > MAX_BACKLOG_BYTES) socket.terminate();
      else socket.send(JSON.stringify(message));
    },
    close: () => socket.close(CLOSED.normal),
  };
}

/** Messages for a page that polls. */
type Mailbox = ExchangeCarrier & { take: (waitMs: number) => Promise<ServerMessage[]> };

function createMailbox(): Mailbox {
  const waiting: ServerMessage[] = [];
  let isClosed = false;
  let wake: () => void = () => undefined;
  return {
    send(message) {
      waiting.push(message);
      waiting.splice(0, waiting.length - MOST_WAITING);
      wake();
    },
    close() {
      isClosed = true;
      wake();
    },
    async take(waitMs) {
      if (waiting.length === 0 && !isClosed && waitMs > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, waitMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      return waiting.splice(0);
    },
  };
}

/** How long the last messages of a capture wait for a poll. */
const LAST_WORDS_MS = 30_000;

function postRoute(app: FastifyInstance, deps: Pick<ServiceDeps, 'db'>, captures: Exchanges): void {
  const mailboxes = new Map<string, Mailbox>();
  /** The mailbox outlives the capture, because the page may poll for the verdict a moment later. */
  const mailboxOf = (sessionId: string): ExchangeCarrier & Mailbox => {
    const mailbox = createMailbox();
    mailboxes.set(sessionId, mailbox);
    const forget = () => {
      if (mailboxes.get(sessionId) === mailbox) mailboxes.delete(sessionId);
    };
    return {
      ...mailbox,
      close() {
        mailbox.close();
        setTimeout(forget, LAST_WORDS_MS).unref();
      },
    };
  };
  const authorise = async (request: FastifyRequest<{ Params: { session_id: string } }>) => {
    await authoriseFlow(deps, request.params.session_id, flowTokenOf(request));
  };
  const answer = async (
    request: FastifyRequest<{ Params: { session_id: string } }>,
  ): Promise<CaptureAnswers> => {
    const sessionId = request.params.session_id;
    const flowToken = flowTokenOf(request);
    const body: unknown = request.body;
    const message = Buffer.isBuffer(body) ? null : parseMessage(body);
    if (message?.type === 'hello') {
      const carrier = mailboxOf(sessionId);
      const opening = { sessionId, flowToken, hello: message, address: request.ip, carrier };
      const capture = await captures.open(opening).catch((error: unknown) => {
        carrier.close();
        throw error;
      });
      if (!capture) carrier.close();
      return { messages: await carrier.take(0) };
    }
    const mailbox = mailboxes.get(sessionId);
    const capture = captures.find(sessionId, flowToken ?? '');
    if (!mailbox) {
      const isElsewhere = capture !== undefined;
      return { messages: [{ type: 'again', reason: isElsewhere ? 'taken_over' : 'restarting' }] };
    }
    if (!capture) return { messages: await mailbox.take(0) };
    if (Buffer.isBuffer(body)) hear(capture, body, true);
    else hear(capture, Buffer.from(JSON.stringify(message)), false);
    return { messages: await mailbox.take(message?.type === 'poll' ? POLL_MS : 0) };
  };
  // A still is large, so its sender is authorised before it is read.
  register(app, flow.captureMessages, answer, { onRequest: authorise });
}

/** Callers other than browsers send no origin; a page of another site cannot leave it out. */
function isSameOrigin({ headers, host }: FastifyRequest): boolean {
  const { origin } = headers;
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
