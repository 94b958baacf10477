/** The calls of "my verifications". Each rejects with a `FlowProblem` when the server says no. */
import type { PhoneState } from '../../../../server/contract/flow.ts';
import type {
  MyCodeResponse,
  MyConnection,
  MyConnections,
  MyOpenResponse,
} from '../../../../server/contract/my.ts';
import { problemOf } from '../../../flow/flow-problem.ts';
import { fetchRetrying, type RetryTools } from '../../../flow/retrying.ts';

/** What a person can do about one organiser. */
export type MyActionKind = 'disconnect' | 'erase';
/** When a code went out and when another may, both on the server's clock. */
export type SentCode = Pick<PhoneState, 'code_sent_at' | 'resend_at'>;

export type MyApi = {
  sendCode: (phone: string) => Promise<SentCode>;
  /** Proves the number; the token that comes with it stays in here. */
  open: (phone: string, code: string) => Promise<MyConnection[]>;
  list: () => Promise<MyConnection[]>;
  act: (kind: MyActionKind, connectionId: string) => Promise<MyConnection[]>;
  /** Forgets the token: the number has to be proven again. */
  close: () => void;
};

export function createMyApi(tools: RetryTools): MyApi {
  /** Never stored: a reload, or the next person at this device, finds nothing. */
  let token: string | null = null;

  const request = async (path: string, body?: object): Promise<Response> => {
    const response = await fetchRetrying(tools, path, () => ({
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === null ? {} : { 'x-my-token': token }),
      },
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }));
    if (response.ok) return response;
    const reply: unknown = await response.json().catch(() => null);
    throw problemOf(response.status, reply, response.headers.get('retry-after'));
  };
  const connections = async (path: string, body?: object): Promise<MyConnection[]> =>
    ((await (await request(path, body)).json()) as MyConnections).connections;

  return {
    async sendCode(phone) {
      const response = await request('/flow/my/code', { phone });
      const { resend_at } = (await response.json()) as MyCodeResponse;
      const sentMs = Date.parse(response.headers.get('date') ?? '') || Date.now();
      return { code_sent_at: new Date(sentMs).toISOString(), resend_at };
    },
    async open(phone, code) {
      const reply = (await (await request('/flow/my/open', { phone, code })).json()) as MyOpenResponse;
      token = reply.my_token;
      return reply.connections;
    },
    list: () => connections('/flow/my'),
    act: (kind, connectionId) => connections(`/flow/my/${kind}`, { connection_id: connectionId }),
    close: () => {
      token = null;
    },
  };
}
