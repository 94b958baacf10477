/** What every listener allows its connections, in milliseconds, in the words of `node:http`. */

/** A whole request must have arrived by then, or a slow sender holds a socket for ever. */
const REQUEST_TIMEOUT_MS = 30_000;

export const LISTENER_LIMITS = {
  requestTimeout: REQUEST_TIMEOUT_MS,
  headersTimeout: REQUEST_TIMEOUT_MS,
  /** Between two looks for requests that are over time: a socket is held this much longer at most. */
  connectionsCheckingInterval: 5_000,
  /** Longer than usual proxies keep theirs, so that they never reuse a socket we are closing. */
  keepAliveTimeout: 72_000,
} as const;
