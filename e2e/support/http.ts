/** One HTTP call as from a customer's backend or a page, with everything that a test checks. */
export type Reply<T = unknown> = { status: number; body: T; headers: Headers };

export type Call = {
  method?: string;
  /** A bearer key. */
  key?: string;
  flowToken?: string;
  /** Sent as JSON; text is sent unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
};

/** @returns the body, parsed if it is JSON, else its text */
export async function send<T = unknown>(url: string, call: Call = {}): Promise<Reply<T>> {
  const { key, flowToken, body, headers = {}, method = body === undefined ? 'GET' : 'POST' } = call;
  const reply = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(flowToken === undefined ? {} : { 'x-flow-token': flowToken }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await reply.text();
  const isJson = reply.headers.get('content-type')?.startsWith('application/json') ?? false;
  return { status: reply.status, body: (isJson ? JSON.parse(text) : text) as T, headers: reply.headers };
}

/** An answer of the flow API that refuses a call. */
export const refused = (status: number, detail: string, more = {}) => ({ status, body: { detail, ...more } });

/** Where a service answers. */
export type Backend = { readonly baseUrl: string };

/** An answer other than 200 to a call that a test builds on. */
export class UnexpectedAnswer extends Error {
  readonly status: number;
  constructor(url: string, { status, body }: Reply) {
    super(`${url} answered ${status}: ${JSON.stringify(body)}`);
    this.name = 'UnexpectedAnswer';
    this.status = status;
  }
}

/**
 * Like `send`, for calls that a test builds on.
 * @throws UnexpectedAnswer if the status is not 200
 */
export async function sendOk<T>(url: string, call: Call = {}): Promise<T> {
  const reply = await send<T>(url, call);
  if (reply.status !== 200) throw new UnexpectedAnswer(url, reply);
  return reply.body;
}
