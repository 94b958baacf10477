/** No sentence of the server reaches a page: displayed messages are found by `code`. */
type Facts = Readonly<Record<string, unknown>> & { readonly message?: never; readonly fields?: never };

/** A request that failed: refused by the server, or not answered at all. */
export class RequestError extends Error {
  /**
   * The server's name for the refusal; `http_<status>` if it has no name, `offline` without a complete reply, `portal` if
   * the network answered instead.
   */
  readonly code: string;
  /** 0 without a reply. */
  readonly status: number;
  /** Seconds after which a retry is useful; null if the server named none. */
  readonly retryAfterS: number | null;
  /** The reply's body without its English sentences, for refusals with details. */
  readonly facts: Facts;

  constructor(code: string, details: Partial<Pick<RequestError, 'status' | 'retryAfterS' | 'facts'>> = {}) {
    super(code);
    this.name = 'RequestError';
    this.code = code;
    this.status = details.status ?? 0;
    this.retryAfterS = details.retryAfterS ?? null;
    this.facts = details.facts ?? {};
  }
}

/** Any thrown value as a failed request. */
export const asRequestError = (error: unknown): RequestError =>
  error instanceof RequestError ? error : new RequestError('server');

/** The error of a reply. The console names refusals in `error`, the other interfaces in `detail`. */
export async function errorOf(response: Response): Promise<RequestError> {
  const body: unknown = await response.json().catch(() => null);
  const facts: Record<string, unknown> = typeof body === 'object' && body !== null ? { ...body } : {};
  // English sentences, for developers.
  delete facts['message'];
  delete facts['fields'];
  const name = facts['error'] ?? facts['detail'];
  const code = typeof name === 'string' ? name : `http_${response.status}`;
  return new RequestError(code, {
    status: response.status,
    retryAfterS: retryAfterS(response.headers),
    facts,
  });
}

/** Seconds of a reply's `Retry-After`; null if it is missing, a date or invalid. */
export function retryAfterS(headers: Headers): number | null {
  const header = headers.get('retry-after');
  const seconds = Number(header);
  return header === null || header.trim() === '' || !Number.isFinite(seconds) ? null : seconds;
}
