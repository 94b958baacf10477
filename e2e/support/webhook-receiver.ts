/** A webhook receiver on loopback that answers as each test needs, and stores all requests. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { call, create } from './connect.ts';
import { type Backend, send, sendOk } from './http.ts';

type Delivered = {
  transactionId: string;
  raw: Buffer;
  headers: IncomingMessage['headers'];
  request: IncomingMessage;
  response: ServerResponse;
};
export type Answer = (delivered: Delivered) => void | Promise<void>;

export type WebhookReceiver = {
  readonly url: string;
  readonly delivered: Delivered[];
  /** How often a call was received. */
  count(transactionId: string): number;
  answerWith(answer: Answer): void;
  close(): Promise<void>;
};

export const ok: Answer = ({ response }) => void response.writeHead(200).end();

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const delivered: Delivered[] = [];
  let answer: Answer = ok;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      const { transaction_id: transactionId } = JSON.parse(raw.toString()) as { transaction_id: string };
      const one = { transactionId, raw, headers: request.headers, request, response };
      delivered.push(one);
      void answer(one);
    });
    // A killed server leaves unfinished requests.
    request.on('error', () => undefined);
    response.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    delivered,
    count: (id) => delivered.filter(({ transactionId }) => transactionId === id).length,
    answerWith(next) {
      answer = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const ADMIN = '/v1/webhook/admin';
export const COMPLETED = 'USER_VERIFICATION_COMPLETED';

type CallItem = {
  transaction_id: string;
  webhook_type: string;
  status: 'PENDING' | 'COMPLETED' | 'FAILED';
  attempts: number;
  created_at: string;
  next_attempt_at: string | null;
  last_attempt_at: string | null;
  completed_at: string | null;
};
type EventItem = {
  transaction_id: string;
  attempt: number;
  http_status: number | null;
  response_body: string | null;
  network_failure: string | null;
  duration_ms: number;
  created_at: string;
};

/** The administration from an integration's backend. */
export const webhookAdmin = (server: Backend, key: string) => ({
  save: (destination_url: string, webhook_type: string = COMPLETED) =>
    call<{ shared_secret: string }>(server, key, `${ADMIN}/config/create_or_edit`, {
      webhook_type,
      destination_url,
    }),
  remove: (webhook_type: string = COMPLETED) =>
    call<{ status: string }>(server, key, `${ADMIN}/config/delete`, { webhook_type }),
  configs: () =>
    call<{ webhook_type: string; destination_url: string }[]>(server, key, `${ADMIN}/config/get`),
  calls: () => call<CallItem[]>(server, key, `${ADMIN}/call/get`),
  events: () => call<EventItem[]>(server, key, `${ADMIN}/event/get`),
  rerun: async (transaction_id: string) =>
    (await call<{ transaction_id: string }>(server, key, `${ADMIN}/call/rerun`, { transaction_id }))
      .transaction_id,
  /** One operation, whatever its reply. */
  raw: (operation: string, body?: object) =>
    send<Record<string, unknown>>(`${server.baseUrl}${ADMIN}/${operation}`, {
      method: 'POST',
      headers: { 'api-key': key },
      ...(body ? { body } : {}),
    }),
});

/** A v2 run by a test face, up to its approval, which causes a call. */
export async function passV2(server: Backend, key: string, externalId: string): Promise<void> {
  const { verification_url: url } = await create(server, key, { external_id: externalId });
  const id = new URL(url).searchParams.get('session_id') ?? '';
  const flow = `${server.baseUrl}/flow/sessions/${id}`;
  const { flow_token: flowToken } = await sendOk<{ flow_token: string }>(`${flow}/open`, {
    body: { device: 'mobile' },
  });
  const { phone_number: number, verification_code: code } = await call<Record<string, string>>(
    server,
    key,
    '/v2/sandbox/phone-number',
  );
  await sendOk(`${flow}/consent`, { flowToken, body: { accepted: true } });
  await sendOk(`${flow}/phone`, { flowToken, body: { phone: number } });
  await sendOk(`${flow}/phone/confirm`, { flowToken, body: { code } });
  await sendOk(`${flow}/test-capture`, { flowToken, body: { face: externalId } });
}

/** Whether the bytes were signed with the secret, checked as a receiver would. */
export function isSigned({ raw, headers }: Pick<Delivered, 'raw' | 'headers'>, secret: string): boolean {
  const digest = createHmac('sha256', secret).update(raw).digest('hex');
  return headers['x-hub-signature-256'] === `sha256=${digest}`;
}
