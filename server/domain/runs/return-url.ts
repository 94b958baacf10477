import { parseOrigin, parseReturnAddress } from '../address.ts';

/** Where a run came from and where it may return to, from its request and its verification. */
export type ReturnSources = {
  request: { redirectUrl: string | null; origin: string | null; returnPath: string | null };
  verification: { redirectUrl: string | null; origin: string | null; returnPath: string | null };
};

/** Contract, initialize field `pass_params`: keys reserved by the service are ignored in any case. */
const RESERVED_PREFIX = 'vy';

const isReserved = (key: string): boolean => key.toLowerCase().startsWith(RESERVED_PREFIX);

/**
 * The address that a person returns to, before the result is appended (contract, initialize rule 2): the request's
 * `redirect_url`, else the verification's saved one, else `origin` + `return_path`. Null if there is none.
 */
export function returnTarget({ request, verification }: ReturnSources): URL | null {
  for (const redirectUrl of [request.redirectUrl, verification.redirectUrl]) {
    if (redirectUrl === null) continue;
    const url = parseReturnAddress(redirectUrl);
    if (url) return url;
  }
  const origin = request.origin ?? verification.origin;
  if (origin === null) return null;
  const normalised = parseOrigin(origin);
  if (normalised === null) return null;
  const sameHome = request.origin === null || sameOrigin(request.origin, verification.origin);
  const path = request.returnPath ?? (sameHome ? verification.returnPath : null) ?? '/';
  // Joined as text, so that a path such as //elsewhere remains a path on this origin.
  return new URL(`${normalised}${path.startsWith('/') ? '' : '/'}${path}`);
}

function sameOrigin(a: string, b: string | null): boolean {
  return b !== null && parseOrigin(a) === parseOrigin(b);
}

/**
 * Appends the pass parameters and the result, such as `vyt` and `vyc` (contract, initialize rule 1) or `vy_token` and
 * `vy_status` (v2 rule 1). The address keeps its query byte for byte, except for an old result.
 */
export function withResult(
  target: URL,
  passParams: Record<string, string> | null,
  result: Record<string, string | number>,
): string {
  const url = new URL(target);
  const query = url.search.replace(/^\?/, '');
  const kept = query === '' ? [] : query.split('&').filter((part) => !Object.hasOwn(result, keyOf(part)));
  const added = new URLSearchParams();
  for (const [key, value] of Object.entries(passParams ?? {})) {
    if (!isReserved(key)) added.append(key, value);
  }
  for (const [key, value] of Object.entries(result)) added.append(key, String(value));
  const all = added.size > 0 ? [...kept, added.toString()] : kept;
  if (all.length > 0) url.search = all.join('&');
  return url.href;
}

function keyOf(part: string): string {
  const [key = ''] = new URLSearchParams(part).keys();
  return key;
}
