/** The kiosk's own calls. Every one rejects with a `KioskProblem`; a server that does not answer is `offline`. */
import { FLOW_ERRORS, type FlowError } from '../../../server/contract/flow.ts';
import {
  KIOSK_ERRORS,
  KIOSK_ORDERS_EVENT,
  KIOSK_REVOKED_EVENT,
  KIOSK_TOKEN_HEADER,
  type KioskConfig,
  type KioskError,
  type KioskHeartbeat,
  type KioskOrders,
  type KioskPairResponse,
  type KioskSessionResponse,
  type KioskStaff,
  type KioskUnlockResponse,
  type KioskUnpairResponse,
} from '../../../server/contract/kiosk.ts';
import { serverEvents } from '../../flow/sse.ts';
import { anySignal } from './any-signal.ts';

/** `server` is every other refusal; `maintenance` ends by itself. */
export type KioskProblemCode = KioskError | FlowError | 'offline' | 'maintenance' | 'server';

export class KioskProblem extends Error {
  readonly code: KioskProblemCode;
  readonly retryAfterS: number | null;

  constructor(code: KioskProblemCode, retryAfterS: number | null = null) {
    super(code);
    this.name = 'KioskProblem';
    this.code = code;
    this.retryAfterS = retryAfterS;
  }
}

/** Any thrown value as a problem. */
export const asKioskProblem = (error: unknown): KioskProblem =>
  error instanceof KioskProblem ? error : new KioskProblem('server');

/** Whether the device's token is no longer good: it has to be paired again. */
export const isUnpaired = ({ code }: KioskProblem): boolean =>
  code === 'kiosk_token_required' || code === 'invalid_kiosk_token';

export type OrderHooks = { onOrders: (orders: KioskOrders) => void; onRevoked: () => void };

export type KioskApi = {
  pair: (code: string) => Promise<KioskPairResponse>;
  config: () => Promise<KioskConfig>;
  heartbeat: (status: KioskHeartbeat, signal: AbortSignal) => Promise<KioskOrders>;
  /** Follows the server's orders until the stream ends. */
  follow: (hooks: OrderHooks, signal: AbortSignal) => Promise<void>;
  walkUp: () => Promise<KioskSessionResponse>;
  scan: (text: string) => Promise<KioskSessionResponse>;
  staff: () => Promise<KioskStaff>;
  unlock: (operatorId: string, pin: string) => Promise<KioskUnlockResponse>;
  unpair: (operatorId: string, pin: string) => Promise<KioskUnpairResponse>;
};

/** A server that has not answered by then counts as gone: nobody waits longer before a screen that says nothing. */
const ANSWER_WITHIN_MS = 8_000;

const CODES: readonly string[] = [...KIOSK_ERRORS, ...FLOW_ERRORS];
const isCode = (value: unknown): value is KioskError | FlowError =>
  typeof value === 'string' && CODES.includes(value);

type Request = { method: 'GET' | 'POST'; body?: object; signal?: AbortSignal; withinMs?: number | null };

/** @param token the device's token, as it is now */
export function createKioskApi(send: typeof fetch, token: () => string | null): KioskApi {
  const request = async (path: string, options: Request): Promise<Response> => {
    const { method, body, signal, withinMs = ANSWER_WITHIN_MS } = options;
    const signals = [signal, withinMs === null ? undefined : AbortSignal.timeout(withinMs)];
    const headers = new Headers({ accept: 'application/json' });
    const known = token();
    if (known !== null) headers.set(KIOSK_TOKEN_HEADER, known);
    if (body !== undefined) headers.set('content-type', 'application/json');
    let response: Response;
    try {
      response = await send(`/kiosk/${path}`, {
        method,
        headers,
        cache: 'no-store',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        signal: anySignal(signals.filter((each) => each !== undefined)),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch {
      throw new KioskProblem('offline');
    }
    if (!response.ok) throw await problemOf(response);
    return response;
  };
  const json = async <T>(path: string, options: Request): Promise<T> => {
    const response = await request(path, options);
    try {
      return (await response.json()) as T;
    } catch {
      throw new KioskProblem('offline');
    }
  };
  const get = <T>(path: string) => json<T>(path, { method: 'GET' });
  const post = <T>(path: string, body: object, signal?: AbortSignal) =>
    json<T>(path, { method: 'POST', body, ...(signal === undefined ? {} : { signal }) });

  return {
    pair: (code) => post('pair', { code }),
    config: () => get('config'),
    heartbeat: (status, signal) => post('heartbeat', status, signal),
    async follow({ onOrders, onRevoked }, signal) {
      const { body } = await request('events', { method: 'GET', signal, withinMs: null });
      for await (const { event, data } of serverEvents(body ?? new ReadableStream())) {
        if (event === KIOSK_ORDERS_EVENT) onOrders(JSON.parse(data) as KioskOrders);
        if (event === KIOSK_REVOKED_EVENT) onRevoked();
      }
    },
    walkUp: () => post('sessions', {}),
    scan: (text) => post('scan', { text }),
    staff: () => get('staff'),
    unlock: (operatorId, pin) => post('unlock', { operator_id: operatorId, pin }),
    unpair: (operatorId, pin) => post('unpair', { operator_id: operatorId, pin }),
  };
}

async function problemOf(response: Response): Promise<KioskProblem> {
  const body: unknown = await response.json().catch(() => null);
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : null;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfterS = Number.isFinite(seconds) && seconds > 0 ? seconds : null;
  if (isCode(detail)) return new KioskProblem(detail, retryAfterS);
  return new KioskProblem(response.status === 503 ? 'maintenance' : 'server', retryAfterS);
}
