/** Time limits for the connections of every listener, in milliseconds, with the names of `node:http`. */

/** A complete request must arrive within this time, or a slow sender could hold a socket forever. */
const REQUEST_TIMEOUT_MS = 30_000;

export const LISTENER_LIMITS = {
  requestTimeout: REQUEST_TIMEOUT_MS,
  headersTimeout: REQUEST_TIMEOUT_MS,
  /** Interval between checks for overdue requests; a socket is held this much longer at most. */
  connectionsCheckingInterval: 5_000,
  /** Longer than common proxies keep connections, so that they never reuse a socket that is closing. */
  keepAliveTimeout: 72_000,
} as const;
