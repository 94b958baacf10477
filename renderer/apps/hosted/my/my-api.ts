/** The calls of "my verifications". Each rejects with a `RequestError` when the server refuses. */
import type { PhoneState } from '../../../../server/contract/flow.ts';
import type { MyConnection, MyContact } from '../../../../server/contract/my.ts';
import { my } from '../../../../server/contract/routes/my.ts';
import { createClient } from '../../../http/client.ts';
import { retrying, type RetryTools } from '../../../http/retrying.ts';

/** What a person can do about one organiser. */
export type MyActionKind = 'disconnect' | 'erase';
/** When a code was sent and when another may be, both on the server's clock. */
export type SentCode = Pick<PhoneState, 'code_sent_at' | 'resend_at' | 'resend_in_ms'>;

export type MyApi = {
  sendCode: (phone: string) => Promise<SentCode>;
  /** Verifies the number; keeps the token internally. */
  open: (phone: string, code: string) => Promise<MyConnection[]>;
  /** The data of the run that this device has just made. @param proof from its link */
  openWith: (proof: string) => Promise<MyConnection[]>;
  contact: () => Promise<MyContact>;
  list: () => Promise<MyConnection[]>;
  act: (kind: MyActionKind, connectionId: string) => Promise<MyConnection[]>;
  /** Deletes the token: the number has to be verified again. */
  close: () => void;
};

export function createMyApi(tools: RetryTools): MyApi {
  /** Never stored: after a reload, the next person at this device finds nothing. */
  let token: string | null = null;

  const { call, callTimed } = createClient({
    fetch: retrying(tools),
    credentials: 'omit',
    headers: (): Record<string, string> => (token === null ? {} : { 'x-my-token': token }),
  });

  return {
    async sendCode(phone) {
      const { reply, serverMs } = await callTimed(my.sendCode, { body: { phone } });
      const { resend_at, resend_in_ms } = reply;
      return { code_sent_at: new Date(serverMs).toISOString(), resend_at, resend_in_ms };
    },
    async open(phone, code) {
      const { my_token, connections } = await call(my.open, { body: { phone, code } });
      token = my_token;
      return connections;
    },
    async openWith(proof) {
      token = proof;
      return (await call(my.list)).connections;
    },
    contact: () => call(my.contact),
    list: async () => (await call(my.list)).connections,
    act: async (kind, connectionId) =>
      (await call(my[kind], { body: { connection_id: connectionId } })).connections,
    close: () => {
      token = null;
    },
  };
}
