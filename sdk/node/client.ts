import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { GatehouseError } from './errors.ts';
import type {
  CodeKeys,
  Confirmation,
  HumansOnlyCode,
  InitializeRequest,
  InitializeResponse,
  LookupRequest,
  RedeemedCode,
  TestClock,
  TestTokenRequest,
  TestTokenResponse,
  ValidationProblem,
} from './types.ts';

export type GatehouseOptions = {
  /** Address of your Gatehouse, such as `https://verify.example.org`. */
  baseUrl: string;
  /** `sk_live_…` or `sk_test_…`. Keep it on your server. */
  secretKey: string;
  /** Longest wait for one reply. Default: 10 s. */
  timeoutMs?: number;
  /** Attempts after the first one. Default: 2. */
  retries?: number;
};

export type CallOptions = {
  /** A text of your own for this one effect, such as your order’s ID. Without it, each call gets a random one. */
  idempotencyKey?: string;
  signal?: AbortSignal;
};

type Call = {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  body?: object;
  /** The call changes something: its repetitions carry one idempotency key. */
  hasEffect?: boolean;
  options?: CallOptions;
};

const TIMEOUT_MS = 10_000;
const RETRIES = 2;
const TEST_CLOCK = '/v3/test/clock';
const FIRST_WAIT_MS = 500;
/** A service that asks for a longer wait is not waited for: the caller decides. */
const LONGEST_WAIT_MS = 15_000;
const KEY = /^[\x20-\x7e]{1,255}$/;
const RETRIED = new Set([429, 500, 502, 503, 504]);

/** Calls v3 of the interface from your server. */
export class Gatehouse {
  readonly #baseUrl: string;
  readonly #secretKey: string;
  readonly #timeoutMs: number;
  readonly #retries: number;

  constructor({ baseUrl, secretKey, timeoutMs = TIMEOUT_MS, retries = RETRIES }: GatehouseOptions) {
    if (!URL.canParse(baseUrl)) throw new TypeError('baseUrl is not an address.');
    if (!secretKey.startsWith('sk_')) throw new TypeError('secretKey does not begin with sk_.');
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
    this.#secretKey = secretKey;
    this.#timeoutMs = timeoutMs;
    this.#retries = retries;
  }

  /** Starts a check. Send the person to the `url` of the reply. */
  initialize(request: InitializeRequest = {}, options?: CallOptions): Promise<InitializeResponse> {
    return this.#call({ method: 'POST', path: '/v3/initialize', body: request, hasEffect: true, options });
  }

  /** The verdict behind the `vyt` that a person returned with. Let them in only if `verified` is true. */
  confirm(token: string, options?: CallOptions): Promise<Confirmation> {
    return this.#call({ method: 'GET', path: `/v3/confirmations/${encodeURIComponent(token)}`, options });
  }

  /** Marks the person’s passes on the verification as used. */
  lock(token: string, options?: CallOptions): Promise<Confirmation> {
    const path = `/v3/confirmations/${encodeURIComponent(token)}/lock`;
    return this.#call({ method: 'POST', path, hasEffect: true, options });
  }

  /** The latest verdict of an email address or a phone number. */
  lookUp(request: LookupRequest, options?: CallOptions): Promise<Confirmation> {
    return this.#call({ method: 'POST', path: '/v3/confirmations', body: request, options });
  }

  /** The humans-only code of the pass, for guests of an event who passed. Asking again returns the same one. */
  makeCode(token: string, options?: CallOptions): Promise<HumansOnlyCode> {
    return this.#call({
      method: 'POST',
      path: `/v3/confirmations/${encodeURIComponent(token)}/code`,
      options,
    });
  }

  /** Uses a humans-only code up: the second call fails with `code_redeemed`. */
  redeemCode(code: string, options?: CallOptions): Promise<RedeemedCode> {
    return this.#call({ method: 'POST', path: '/v3/codes/redeem', body: { code }, hasEffect: true, options });
  }

  /** The public keys that `verifyCode` needs for the codes of an event. */
  codeKeys(eventId: string, options?: CallOptions): Promise<CodeKeys> {
    return this.#call({
      method: 'GET',
      path: `/v3/events/${encodeURIComponent(eventId)}/code-keys`,
      options,
    });
  }

  /** A result token for your own tests. Needs a test key. */
  createTestToken(request: TestTokenRequest = {}, options?: CallOptions): Promise<TestTokenResponse> {
    const path = '/v3/test/confirmation-token';
    return this.#call({ method: 'POST', path, body: request, hasEffect: true, options });
  }

  /** Lets time pass for your test data. Needs a test key. */
  advanceTestClock(seconds: number, options?: CallOptions): Promise<TestClock> {
    const body = { advance_seconds: seconds };
    return this.#call({ method: 'POST', path: TEST_CLOCK, body, hasEffect: true, options });
  }

  /** Deletes your test data and sets its clock back. Needs a test key. */
  resetTestClock(options?: CallOptions): Promise<TestClock> {
    return this.#call({ method: 'DELETE', path: TEST_CLOCK, options });
  }

  /** @throws GatehouseError */
  async #call<T>(call: Call): Promise<T> {
    const { hasEffect = false, options = {} } = call;
    const key = hasEffect ? (options.idempotencyKey ?? randomUUID()) : undefined;
    // `fetch` would refuse it as if the service could not be reached.
    if (key !== undefined && !KEY.test(key))
      throw new TypeError('idempotencyKey is not 1 to 255 visible ASCII characters.');
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#attempt<T>(call, key);
      } catch (error) {
        if (!(error instanceof GatehouseError) || attempt >= this.#retries) throw error;
        const waitMs = waitBefore(error, attempt);
        if (waitMs === null) throw error;
        await sleep(waitMs, undefined, { ...(options.signal && { signal: options.signal }) });
      }
    }
  }

  async #attempt<T>({ method, path, body, options = {} }: Call, key: string | undefined): Promise<T> {
    const limit = AbortSignal.timeout(this.#timeoutMs);
    let reply: Response;
    let text: string;
    try {
      reply = await fetch(this.#baseUrl + path, {
        method,
        headers: {
          authorization: `Bearer ${this.#secretKey}`,
          ...(body && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
        // A redirect would carry the key elsewhere.
        redirect: 'manual',
        signal: options.signal ? AbortSignal.any([options.signal, limit]) : limit,
      });
      text = await reply.text();
    } catch (cause) {
      options.signal?.throwIfAborted();
      throw new GatehouseError('unreachable', { status: 0, cause });
    }
    const json = parsed(text);
    if (reply.status === 200 && json !== undefined) return json as T;
    throw errorOf(reply, json);
  }
}

/** @returns null if another attempt makes no sense, or only after a long time */
function waitBefore({ status, code, retryAfterS }: GatehouseError, attempt: number): number | null {
  const isForNow = status === 0 || RETRIED.has(status) || code === 'idempotency_key_in_use';
  if (!isForNow) return null;
  if (retryAfterS !== null) return retryAfterS * 1_000 <= LONGEST_WAIT_MS ? retryAfterS * 1_000 : null;
  // Callers that failed together come back apart.
  return FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random() / 2);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function errorOf({ status, headers }: Response, json: unknown): GatehouseError {
  const { detail } = (typeof json === 'object' && json !== null ? json : {}) as { detail?: unknown };
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const facts = {
    status,
    requestId: headers.get('request-id'),
    retryAfterS: Number.isFinite(seconds) && seconds >= 0 ? seconds : null,
  };
  if (Array.isArray(detail)) {
    return new GatehouseError('invalid_request', { ...facts, problems: detail as ValidationProblem[] });
  }
  // A proxy in front answers with a page of its own.
  return new GatehouseError(typeof detail === 'string' ? detail : 'unexpected_reply', facts);
}
