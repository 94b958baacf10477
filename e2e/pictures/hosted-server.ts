/** Serves the built hosted page, the landmarker's model and the fake flow, with the product's policy. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import path from 'node:path';
import type { HandoffOpenRequest } from '../../server/contract/flow.ts';
import type { FlowFake } from './flow-fake.ts';

const REPOSITORY = path.join(import.meta.dirname, '../..');
const FOLDERS: readonly (readonly [prefix: string, folder: string])[] = [
  ['/assets/hosted/', path.join(REPOSITORY, 'dist/hosted')],
  ['/assets/models/', path.join(REPOSITORY, '.cache/models')],
];
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "media-src 'self' blob:",
  "form-action 'self'",
  "base-uri 'none'",
].join('; ');
const FLOW_PATH = /^\/flow\/sessions\/([^/]*)(?:\/(.*))?$/;

export async function startHostedServer(
  flow: FlowFake,
): Promise<{ origin: string; stop: () => Promise<void> }> {
  const server = createServer((request, reply) => {
    answer(flow, request, reply).catch((error: unknown) => {
      reply.statusCode = 500;
      reply.end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: originOf(server), stop: () => stopped(server) };
}

async function answer(flow: FlowFake, request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  reply.setHeader('content-security-policy', POLICY);
  const sent = await bodyOf(request);
  const found = FLOW_PATH.exec(pathname) ?? [];
  // The phone's first call has the session in its body.
  const handedOver = pathname === '/flow/handoff/open';
  const sessionId = handedOver ? (JSON.parse(sent) as HandoffOpenRequest).session_id : found[1];
  const action = handedOver ? 'handoff/open' : (found[2] ?? '');
  if (sessionId === undefined) {
    await sendFile(pathname, reply);
    return;
  }
  if (action === 'events') {
    // The stream stays open and sends nothing: nothing changes while a screenshot is taken.
    reply.setHeader('content-type', 'text/event-stream');
    reply.write(': hello\n\n');
    return;
  }
  const { status, body, headers = {} } = flow(request.method ?? 'GET', sessionId, action, sent);
  reply.writeHead(status, { 'content-type': 'application/json', ...headers });
  reply.end(JSON.stringify(body));
}

async function sendFile(pathname: string, reply: ServerResponse): Promise<void> {
  const wanted = pathname === '/verification' ? '/assets/hosted/index.html' : pathname;
  for (const [prefix, folder] of FOLDERS) {
    if (!wanted.startsWith(prefix)) continue;
    const file = path.join(folder, path.normalize(wanted.slice(prefix.length)));
    if (!file.startsWith(folder) || !existsSync(file)) break;
    reply.setHeader('content-type', TYPES[path.extname(file)] ?? 'application/octet-stream');
    reply.end(await readFile(file));
    return;
  }
  reply.statusCode = 404;
  reply.end();
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('latin1');
}

function originOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return `http://localhost:${address.port}`;
}

function stopped(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
