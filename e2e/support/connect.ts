/** An integration of v1 or v2: its backend's calls, and its webhook receiver. */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  CreateRequest,
  CreateResponse,
  StatusRequest,
  StatusResponse,
} from '../../server/contract/v2.ts';
import { WEBHOOK_TYPES, type WebhookType } from '../../server/contract/webhook-types.ts';
import { type Backend, sendOk } from './http.ts';

/**
 * A call of v1 or v2 with an `API-KEY`.
 * @throws with the reply if it is not 200
 */
export const call = <T>({ baseUrl }: Backend, key: string, path: string, body?: object): Promise<T> =>
  sendOk<T>(baseUrl + path, { method: 'POST', headers: { 'api-key': key }, ...(body ? { body } : {}) });

export const create = (server: Backend, key: string, body: CreateRequest): Promise<CreateResponse> =>
  call(server, key, '/v2/verification/create', body);

export const status = (server: Backend, key: string, body: StatusRequest): Promise<StatusResponse> =>
  call(server, key, '/v2/verification/status', body);

/** A delivery as received. */
type Delivery = { type: WebhookType; reference_user_id: string; user_id: string; signed: boolean };

export type Receiver = {
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  /** Sends the key's events here, and stores the secret that signs them. */
  subscribe(server: Backend, key: string): Promise<void>;
  close(): Promise<void>;
};

/** A receiver on this machine; the server needs `GATEHOUSE_WEBHOOK_ALLOW_HOSTS=127.0.0.1` to call it. */
export async function startReceiver(): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  let secret = '';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const { type, reference_user_id, user_id } = JSON.parse(bytes.toString()) as Omit<Delivery, 'signed'>;
      const expected = `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`;
      const signed = request.headers['x-hub-signature-256'] === expected;
      deliveries.push({ type, reference_user_id, user_id, signed });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return {
    url,
    deliveries,
    async subscribe(gatehouse, key) {
      for (const webhook_type of WEBHOOK_TYPES) {
        const saved = await call<{ shared_secret: string }>(
          gatehouse,
          key,
          '/v1/webhook/admin/config/create_or_edit',
          { webhook_type, destination_url: url },
        );
        secret = saved.shared_secret;
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
