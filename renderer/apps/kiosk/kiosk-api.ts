/** The kiosk's own calls. Each rejects with a `RequestError`. */
import { FLOW_ERRORS, type FlowError } from '../../../server/contract/flow.ts';
import {
  KIOSK_ERRORS,
  KIOSK_ORDERS_EVENT,
  KIOSK_REVOKED_EVENT,
  KIOSK_TOKEN_HEADER,
  type KioskError,
  type KioskHeartbeat,
  type KioskOrders,
} from '../../../server/contract/kiosk.ts';
import type { KioskTicketRequest } from '../../../server/contract/tickets.ts';
import { kiosk } from '../../../server/contract/routes/kiosk.ts';
import { createClient, anySignal } from '../../http/client.ts';
import { asRequestError } from '../../http/request-error.ts';
import { serverEvents } from '../../http/sse.ts';

/** `server` is every other refusal; `maintenance` ends automatically. */
export type KioskRefusalCode = KioskError | FlowError | 'offline' | 'portal' | 'maintenance' | 'server';

/** A failed call, by the kinds that the kiosk handles. */
export type KioskRefusal = { code: KioskRefusalCode; retryAfterS: number | null };

const CODES = ['offline', 'portal', ...KIOSK_ERRORS, ...FLOW_ERRORS] as const;

/** Any thrown value as a refusal. */
export function kioskRefusalOf(error: unknown): KioskRefusal {
  const { code, status, retryAfterS } = asRequestError(error);
  const known = CODES.find((each) => each === code);
  return { code: known ?? (status === 503 ? 'maintenance' : 'server'), retryAfterS };
}

/** Whether the device's token is no longer valid, so that it has to be paired again. */
export const isUnpaired = ({ code }: KioskRefusal): boolean =>
  code === 'kiosk_token_required' || code === 'invalid_kiosk_token';

type OrderHooks = { onOrders: (orders: KioskOrders) => void; onRevoked: () => void };

export type KioskApi = ReturnType<typeof createKioskApi>;

/**
 * A server that has not responded within this time counts as away, so that a guest never sees an empty screen for
 * longer.
 */
const ANSWER_WITHIN_MS = 8_000;

/** @param token the device's current token */
export function createKioskApi(send: typeof fetch, token: () => string | null) {
  const client = createClient({
    fetch: send,
    credentials: 'omit',
    headers: (): Record<string, string> => {
      const known = token();
      return known === null ? {} : { [KIOSK_TOKEN_HEADER]: known };
    },
  });
  const { call } = client;
  const soon = (signal?: AbortSignal) => {
    const limit = AbortSignal.timeout(ANSWER_WITHIN_MS);
    return signal === undefined ? limit : anySignal([signal, limit]);
  };

  return {
    pair: (code: string, publicKey: string | null) =>
      call(kiosk.pair, {
        body: { code, ...(publicKey !== null && { public_key: publicKey }) },
        signal: soon(),
      }),
    config: () => call(kiosk.config, { signal: soon() }),
    heartbeat: (status: KioskHeartbeat, signal: AbortSignal) =>
      call(kiosk.heartbeat, { body: status, signal: soon(signal) }),
    /** Follows the server's orders until the stream ends. */
    async follow({ onOrders, onRevoked }: OrderHooks, signal: AbortSignal) {
      const { body } = await client.send(kiosk.events, { signal });
      for await (const { event, data } of serverEvents(body ?? new ReadableStream())) {
        if (event === KIOSK_ORDERS_EVENT) onOrders(JSON.parse(data) as KioskOrders);
        if (event === KIOSK_REVOKED_EVENT) onRevoked();
      }
    },
    walkUp: () => call(kiosk.walkUp, { signal: soon() }),
    scan: (text: string) => call(kiosk.scan, { body: { text }, signal: soon() }),
    /** A scanned code, or a ticket of a party. */
    ticket: (body: KioskTicketRequest) => call(kiosk.ticket, { body, signal: soon() }),
    /** The guest of this run passed. */
    admission: (session_id: string, text?: string) =>
      call(kiosk.admission, {
        body: { session_id, ...(text !== undefined && { text }) },
        signal: soon(),
      }),
    staff: () => call(kiosk.staff, { signal: soon() }),
    /** @param operatorId null until the PIN has named somebody */
    unlock: (pin: string, operatorId: string | null) =>
      call(kiosk.unlock, {
        body: { pin, ...(operatorId !== null && { operator_id: operatorId }) },
        signal: soon(),
      }),
    letIn: (operatorId: string, pin: string, sessionId: string, reason: string) =>
      call(kiosk.letIn, {
        body: { operator_id: operatorId, pin, session_id: sessionId, reason },
        signal: soon(),
      }),
    unpair: (operatorId: string, pin: string) =>
      call(kiosk.unpair, { body: { operator_id: operatorId, pin }, signal: soon() }),
    chooseEvent: (operatorId: string, pin: string, eventId: string) =>
      call(kiosk.chooseEvent, { body: { operator_id: operatorId, pin, event_id: eventId }, signal: soon() }),
  };
}
