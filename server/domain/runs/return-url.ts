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
export function returnTarget({ request, verification }: ReturnSources): string | null {
  // Earlier versions saved addresses with white space around them.
  for (const redirectUrl of [request.redirectUrl, verification.redirectUrl]) {
    const address = redirectUrl?.trim() ?? '';
    if (parseReturnAddress(address)) return withoutControls(address);
  }
  const origin = request.origin ?? verification.origin;
  if (origin === null) return null;
  const normalised = parseOrigin(origin);
  if (normalised === null) return null;
  const sameHome = request.origin === null || sameOrigin(request.origin, verification.origin);
  const path = request.returnPath ?? (sameHome ? verification.returnPath?.trim() : null) ?? '/';
  // Joined as text, so that a path such as //elsewhere remains a path on this origin.
  return withoutControls(`${normalised}${path.startsWith('/') ? '' : '/'}${path}`);
}

function sameOrigin(a: string, b: string | null): boolean {
  return b !== null && parseOrigin(a) === parseOrigin(b);
}

/**
 * Appends the pass parameters and the result, such as `vyt` and `vyc` (contract, initialize rule 1) or `vy_token` and
 * `vy_status` (v2 rule 1), with exactly one `?` or `&`. The address keeps its bytes, except for an old result.
 */
export function withResult(
  target: string,
  passParams: Record<string, string> | null,
  result: Record<string, string | number>,
): string {
  const added = new URLSearchParams();
  for (const [key, value] of Object.entries(passParams ?? {})) {
    if (!isReserved(key)) added.append(key, value);
  }
  for (const [key, value] of Object.entries(result)) added.append(key, String(value));
  if (added.size === 0) return target;
  const [beforeFragment, fragment] = cut(target, '#');
  const [place, query] = cut(beforeFragment, '?');
  const kept = query
    .slice(1)
    .split('&')
    .filter((part) => !Object.hasOwn(result, keyOf(part)))
    .join('&');
  const joint = kept === '' || kept.endsWith('&') ? '' : '&';
  return `${place}${HOST_ALONE.test(place) ? '/' : ''}?${kept}${joint}${added.toString()}${fragment}`;
}

const HOST_ALONE = /^[a-z]+:\/\/[^/]*$/i;

/** Both parts; the second begins with the mark, or is empty. */
function cut(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

/** No address has these characters. Browsers drop the first three and encode the others. */
const withoutControls = (address: string): string =>
  address.replace(/[\t\n\r]/g, '').replace(/[\0- \x7f]/g, encodeURIComponent);

function keyOf(part: string): string {
  const [key = ''] = new URLSearchParams(part).keys();
  return key;
}
