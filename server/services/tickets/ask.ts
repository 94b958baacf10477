/** One request to a ticketing system, to an address that webhooks may go to as well. */
import type { IncomingHttpHeaders } from 'node:http';
import { parseRetryAfter } from '../../domain/webhooks/backoff.ts';
import { sendWebhook } from '../webhooks/send.ts';
import type { WebhookService } from '../webhooks/service.ts';

/** A page of 50 orders, or of 250 guests, with room to spare. */
const MAX_RESPONSE_BYTES = 4_000_000;

export type Question = {
  url: string;
  method?: 'GET' | 'POST' | 'DELETE';
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
};

export type Reply = {
  /** Null if there was none. */
  http: number | null;
  /** Null if it was no JSON, or too much. */
  body: unknown;
  headers: IncomingHttpHeaders;
  retryAfterMs: number | null;
};
export type Ask = (question: Question, signal?: AbortSignal) => Promise<Reply>;

export const createAsk =
  (webhooks: Pick<WebhookService, 'policy'>): Ask =>
  async ({ url, method = 'GET', headers = {}, body }, signal = new AbortController().signal) => {
    const request = {
      ...{ url, method, maxResponseBytes: MAX_RESPONSE_BYTES },
      headers: { accept: 'application/json', ...headers },
      body: body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body)),
    };
    const result = await sendWebhook(request, { ...(await webhooks.policy()), signal });
    return {
      http: result.networkFailure === null ? result.httpStatus : null,
      body: parsed(result.responseBody),
      headers: result.responseHeaders ?? {},
      retryAfterMs: parseRetryAfter(result.retryAfter, Date.now()),
    };
  };

/** Null if it is no JSON. */
export function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '') as unknown;
  } catch {
    return null;
  }
}
