/** Offers to change the protocol of a connection (RFC 9110 §7.8): only the capture's WebSocket is accepted. */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

const CAPTURE_PATH = /^\/flow\/sessions\/[^/?]+\/capture\/?(\?|$)/;

/** Takes over the socket of a capture. False if the listener has no captures. */
type Accept = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

/**
 * Answers a request with any other offer as if it offered nothing. Node would hand over its socket, whose body and next
 * requests nobody then reads.
 */
export function acceptOnlyCaptures(server: Server | TlsServer, accept: Accept): void {
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (!isCapture(request) || !accept(request, socket, head)) void readOn(server, request, socket, head);
  });
}

function isCapture(request: IncomingMessage): boolean {
  const { method, url = '', headers } = request;
  if (method !== 'GET' || !CAPTURE_PATH.test(url)) return false;
  if (!tokensOf(headers.upgrade ?? '').includes('websocket')) return false;
  // The one that is accepted of several.
  headers.upgrade = 'websocket';
  return true;
}

/** Gives the socket back to its server, with the request before it as it would be without the offer. */
async function readOn(
  server: Server | TlsServer,
  request: IncomingMessage,
  socket: Socket & { _httpMessage?: ServerResponse | null },
  head: Buffer,
): Promise<void> {
  const ignored = () => undefined;
  // Node has removed its own listener.
  socket.on('error', ignored);
  // Earlier requests of the connection are answered first.
  for (let earlier = socket._httpMessage; earlier && !socket.destroyed; earlier = socket._httpMessage) {
    await once(earlier, 'close');
  }
  if (socket.destroyed) return;
  // That of an idle connection, which the server sets again.
  socket.setTimeout(0);
  socket.unshift(Buffer.concat([headWithoutOffer(request), head]));
  server.emit('setSecureContext' in server ? 'secureConnection' : 'connection', socket);
  socket.off('error', ignored);
}

const OFFER_HEADERS: ReadonlySet<string> = new Set(['upgrade', 'http2-settings']);

function headWithoutOffer({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (name.toLowerCase() === 'connection') {
      const rest = tokensOf(value).filter((token) => !OFFER_HEADERS.has(token));
      if (rest.length > 0) lines.push(`${name}: ${rest.join(', ')}`);
    } else if (!OFFER_HEADERS.has(name.toLowerCase())) lines.push(`${name}: ${value}`);
  }
  return Buffer.from([...lines, '', ''].join('\r\n'), 'latin1');
}

const tokensOf = (list: string): string[] =>
  list
    .split(',')
    .map((token) => token.trim().toLowerCase())
    .filter((token) => token !== '');
