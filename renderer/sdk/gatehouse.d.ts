/**
 * Gatehouse in the browser: starts a check from your own page, as a redirect or inside the page, and hands you its
 * result token. The token must be confirmed by your server: `vyc` alone proves nothing.
 */

/** `vyt` goes to your server, which asks `GET /v3/confirmations/{vyt}`. `vyc` is a hint for the page only. */
export type CheckResult = { vyt: string; vyc: 0 | 1 };

export type InitOptions = {
  /** Where Gatehouse answers, such as `https://verify.example.org`. Needed when the script is not loaded from there. */
  baseUrl?: string;
};

export type CheckOptions = {
  /** `session_id` of a session that your server has made. */
  session?: string;
  /** `pk_…` key with which the browser makes a session itself. Give this or `session`. */
  publishableKey?: string;
  /** Leave the page and come back (default), or stay on it. */
  mode?: 'redirect' | 'embed';
  /** Embedded: a drawer over the page (default), or a place in it. */
  display?: 'drawer' | 'inline';
  /** Embedded inline: where, as an element or a selector. */
  container?: Element | string;
  /** What the person's fields start with. */
  email?: string;
  phone?: string;
  /** Embedded: called with the result, denied or not, as soon as there is one. The view closes a little later. */
  onComplete?: (result: CheckResult) => void;
  /** Embedded: called when the view closes without a result. */
  onClose?: () => void;
};

/**
 * Why a check did not start or did not end. `setup`: the call is wrong. `unreachable`: Gatehouse could not be asked.
 * `refused`: it said no; `detail` says what. `closed`: the person closed the view.
 */
export type CheckErrorCode = 'setup' | 'unreachable' | 'refused' | 'closed';

export declare class GatehouseError extends Error {
  readonly code: CheckErrorCode;
  readonly detail: string;
  constructor(code: CheckErrorCode, detail: string);
}

/** Settings for all later checks. Not needed when the script is loaded from your Gatehouse. */
export declare function init(options: InitOptions): void;

/**
 * Starts a check. In `embed` mode resolves with the result and rejects with a `GatehouseError`; in `redirect` mode the
 * page is left, so that the promise settles only when that fails.
 */
export declare function vycheck(options: CheckOptions): Promise<CheckResult>;

/** The result that a redirect brought back, taken out of the page's address; null when there is none. */
export declare function vyget(): CheckResult | null;
