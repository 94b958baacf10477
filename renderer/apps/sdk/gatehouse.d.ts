/**
 * Gatehouse in the browser: starts a check from your own page, as a redirect or inside the page, and gives you its result token.
 * Your server must confirm the token (`GET /v3/confirmations/{token}`): everything else here is a hint for the page only.
 */

export type CheckResult = {
  /** Result token for your server; null if there is no result. */
  token: string | null;
  /** The same token, under its name in addresses. */
  vyt: string | null;
  /** Whether `vyc` is `"1"`. */
  verified: boolean;
  /** `"1"` when approved, `"0"` when not; null if there is no result. */
  vyc: '1' | '0' | null;
};

export type CheckOptions = {
  /** `session_id` of a session that your server has created. Takes precedence over `publishableKey`. */
  session?: string;
  /** `pk_…` key with which the browser creates a session itself. */
  publishableKey?: string;
  /** Leave the page and come back (default), or stay on it. `"embed"` is another name for `"iframe"`. */
  mode?: 'redirect' | 'iframe' | 'embed';
  /** In a frame: a drawer over the page (default), or a place in it. */
  display?: 'drawer' | 'inline';
  /** Inline: where, as an element or a selector. */
  container?: Element | string;
  /** Inline: as high as the container (`"fill"`, default), as high as the content (`"auto"`), or a CSS length. */
  inlineHeight?: 'fill' | 'auto' | (string & {});
  /** Colours of the drawer. `"auto"` (default) follows the page's `color-scheme`, then the system. */
  theme?: 'light' | 'dark' | 'auto';
  /** With `publishableKey`, test keys only: replaces the verification's options for this run. */
  config?: Record<string, unknown>;
  /** With `publishableKey`: the site that the check starts from. This page's origin unless given. */
  origin?: string;
  /** With `publishableKey`: where on `origin` a redirect comes back to. This page's path unless given. */
  returnPath?: string;
  /** Initial values of the person's fields. */
  email?: string;
  phone?: string;
  /** In a frame: called with the result, denied or not, as soon as there is one. The view closes a little later. */
  onComplete?: (result: CheckResult) => void;
  /** In a frame: called when the view closes without a result. */
  onClose?: () => void;
};

/** Settings for all later checks, each of which can override them. */
export type InitOptions = Omit<CheckOptions, 'session'> & {
  /** Address of Gatehouse, such as `https://verify.example.org`. Required if the script is not loaded from there. */
  baseUrl?: string;
  /** Accepted from code for the original service and ignored: everything is at `baseUrl`. */
  connectBase?: string;
  appBase?: string;
};

/** A running check: await it for the result. */
export interface CheckHandle extends Promise<CheckResult> {
  /** Closes the frame before there is a result; the promise resolves with nulls. Has no effect on a redirect. */
  close(): void;
}

/**
 * Why a check did not start. `setup`: the call is wrong. `unreachable`: Gatehouse could not be reached.
 * `sign_in_to_network`: the visitor's Wi-Fi answered with its own sign-in page. `refused`: it refused; `detail` has its
 * code. `blocked`: Gatehouse answers, but this page's policies (`Cross-Origin-Embedder-Policy`, or `frame-src` of a
 * `Content-Security-Policy`) do not let its frame load; a redirect works.
 */
export type CheckErrorCode = 'setup' | 'unreachable' | 'sign_in_to_network' | 'refused' | 'blocked';

export declare class GatehouseError extends Error {
  readonly code: CheckErrorCode;
  readonly detail: string;
  constructor(code: CheckErrorCode, detail: string);
}

/** Optional if the script is loaded from your Gatehouse and each check has its own options. */
export declare function init(options: InitOptions): void;

/**
 * Starts a check. In a frame it resolves with the result, or with nulls when the person closes the view: the session then stays
 * open, and the same `session` can be opened again. A redirect leaves the page and never resolves. Rejects with a
 * `GatehouseError` when the check could not start. While a check is open, another call returns the open one.
 */
export declare function vycheck(options?: CheckOptions): CheckHandle;

/**
 * The result that a redirect returned, or that of the last check in a frame; nulls if there is neither. `?vyc=0` without a
 * token is a result without a pass. Removes the result from the page's address.
 */
export declare function vyget(): CheckResult;
