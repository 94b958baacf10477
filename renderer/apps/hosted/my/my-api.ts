/** The calls of "my verifications". Each rejects with a `RequestError` when the server refuses. */
import type { PhoneState } from '../../../../server/contract/flow.ts';
import { my } from '../../../../server/contract/routes/my.ts';
import { createClient } from '../../../http/client.ts';
import { retrying, type RetryTools } from '../../../http/retrying.ts';

/** What a person can do about one organiser. */
export type MyActionKind = 'disconnect' | 'erase';
/** When a code was sent and when another may be, both on the server's clock. */
export type SentCode = Pick<PhoneState, 'code_sent_at' | 'resend_at' | 'resend_in_ms'>;

export type MyApi = ReturnType<typeof createMyApi>;

export function createMyApi(tools: RetryTools) {
  /** Never stored: after a reload, the next person at this device finds nothing. */
  let token: string | null = null;

  const { call, callTimed } = createClient({
    fetch: retrying(tools),
    credentials: 'omit',
    headers: (): Record<string, string> => (token === null ? {} : { 'x-my-token': token }),
  });

  return {
    async sendCode(phone: string): Promise<SentCode> {
      const { reply, serverMs } = await callTimed(my.sendCode, { body: { phone } });
      const { resend_at, resend_in_ms } = reply;
      return { code_sent_at: new Date(serverMs).toISOString(), resend_at, resend_in_ms };
    },
    /** Verifies the number; keeps the token internally. */
    async open(phone: string, code: string) {
      const { my_token, connections } = await call(my.open, { body: { phone, code } });
      token = my_token;
      return connections;
    },
    /** The data of the run that this device has just made. @param proof from its link */
    async openWith(proof: string) {
      token = proof;
      return (await call(my.list)).connections;
    },
    contact: () => call(my.contact),
    list: async () => (await call(my.list)).connections,
    act: async (kind: MyActionKind, connectionId: string) =>
      (await call(my[kind], { body: { connection_id: connectionId } })).connections,
    /** Deletes the token: the number has to be verified again. */
    close: () => {
      token = null;
    },
  };
}
