/** A key family with a webhook, and schedulers with a clock that tests move, for tests of the outbox. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Scope } from '../../server/domain/scope.ts';
import { queueWebhookCall } from '../../server/services/webhooks/queue.ts';
import type { SendRequest, SendResult } from '../../server/services/webhooks/send.ts';
import type { OutboxScheduler } from '../../server/services/webhooks/outbox.ts';
import { createWebhookScheduler, type SchedulerOptions } from '../../server/services/webhooks/scheduler.ts';
import { signingSecret } from '../../server/services/webhooks/secrets.ts';
import type { Database } from '../../server/store/sql/port.ts';
import { saveWebhookConfig } from '../../server/store/webhooks/configs.ts';
import { NOW } from '../store/rows.ts';
import { type TestClock, testClock } from './temp-service.ts';

export const WEBHOOK_TYPE = 'USER_VERIFICATION_COMPLETED';

/** A configuration of a key family, with the secret that signs. */
export async function seedWebhook(
  db: Database,
  scope: Scope,
  lineageId: string,
  destinationUrl: string,
): Promise<void> {
  await db.tx(async (tx) => {
    const config = {
      id: `config-${lineageId}`,
      lineageId,
      type: WEBHOOK_TYPE,
      destinationUrl,
      changedAt: NOW,
    } as const;
    await saveWebhookConfig(tx, scope, config);
    await signingSecret(tx, scope, lineageId, NOW);
  });
}

export async function queueCall(db: Database, scope: Scope, lineageId: string, at = NOW): Promise<string> {
  const event = {
    scope,
    lineageId,
    userId: 'bcu_1',
    referenceUserId: 'guest-1',
    type: WEBHOOK_TYPE,
    at,
  } as const;
  const id = await db.tx((tx) => queueWebhookCall(tx, event));
  if (id === null) throw new Error('Nobody wants to know.');
  return id;
}

export const answered = (httpStatus: number | null, retryAfter?: string): SendResult => ({
  httpStatus,
  responseBody: httpStatus === null ? null : '',
  networkFailure: httpStatus === null ? 'The receiver refused the connection. (ECONNREFUSED)' : null,
  durationMs: 1,
  retryAfter,
});

type TestScheduler = OutboxScheduler & {
  /** Monotonic time, independent of the clock. */
  steady: TestClock;
  sent: SendRequest[];
  errors: unknown[];
};

/** Polls only when asked to; jitter is in the middle. */
export function testScheduler(db: Database, clock: TestClock, send: SchedulerOptions['send']): TestScheduler {
  const steady = testClock(0);
  const sent: SendRequest[] = [];
  const errors: unknown[] = [];
  const scheduler = createWebhookScheduler({
    db,
    clock,
    send: (request, signal) => {
      sent.push(request);
      return send(request, signal);
    },
    onError: (error) => errors.push(error),
    random: () => 0.5,
    steadyNowMs: () => steady.now(),
    isManual: true,
  });
  return { ...scheduler, steady, sent, errors };
}

// A webhook receiver on loopback for tests of the sender.

type ReceivedCall = { headers: IncomingMessage['headers']; path: string; body: Buffer };
type Receiver = { url: string; port: number; calls: ReceivedCall[] };

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
