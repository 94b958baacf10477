/** A webhook receiver on loopback for tests of the sender. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type ReceivedCall = { headers: IncomingMessage['headers']; path: string; body: Buffer };
export type Receiver = { url: string; port: number; calls: ReceivedCall[] };

/** Listens until the running test ends; every request is stored before it is answered. */
export async function openReceiver(
  answer: (call: ReceivedCall, response: ServerResponse, request: IncomingMessage) => void,
): Promise<Receiver> {
  const calls: ReceivedCall[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const call = { headers: request.headers, path: request.url ?? '', body: Buffer.concat(chunks) };
      calls.push(call);
      answer(call, response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hooks`, port, calls };
}
