/** Tries an operation out: test keys only, checked before anything is sent. */

export type TrialInput = {
  key: string;
  method: string;
  /** With parameters in braces, `/v3/confirmations/{token}`. */
  path: string;
  pathValues: Readonly<Record<string, string>>;
  /** Empty values are left out. */
  queryValues: Readonly<Record<string, string>>;
  /** Null if the operation takes none. */
  body: string | null;
};

/** `field` is the name of the wrong path value. */
export type TrialProblem = {
  kind: 'key_missing' | 'key_live' | 'key_unsendable' | 'live_key_elsewhere' | 'value_missing' | 'not_json';
  field: string;
};

type TrialRequest = { url: string; init: RequestInit };

export type TrialAnswer = {
  status: number;
  /** Its name, where the connection carries one. */
  name: string;
  durationMs: number;
  /** Indented if it is JSON. */
  text: string;
  /** Null if the answer is not JSON. */
  json: unknown;
};

const TIMEOUT_MS = 30_000;
const LIVE_KEY = /_live_/i;
const ANY_LIVE_KEY = /[a-z]k_live_/i;
/** Characters allowed in a header. */
const SENDABLE = /^[\x21-\x7e]+$/;

/** @returns the request, or why it cannot be sent */
export function prepareTrial(input: TrialInput): TrialRequest | TrialProblem {
  const key = input.key.trim();
  if (key === '') return { kind: 'key_missing', field: 'key' };
  if (LIVE_KEY.test(key)) return { kind: 'key_live', field: 'key' };
  if (!SENDABLE.test(key)) return { kind: 'key_unsendable', field: 'key' };

  const { method, body, pathValues, queryValues } = input;
  const elsewhere = [...Object.values(pathValues), ...Object.values(queryValues), body ?? ''];
  if (elsewhere.some((text) => ANY_LIVE_KEY.test(text))) return { kind: 'live_key_elsewhere', field: 'key' };
  const missing = Object.entries(pathValues).find(([, value]) => value.trim() === '');
  if (missing) return { kind: 'value_missing', field: missing[0] };
  if (body !== null && !isJson(body)) return { kind: 'not_json', field: 'body' };

  const headers = {
    ...keyHeader(input.path, key),
    ...(body !== null && { 'content-type': 'application/json' }),
  };
  return {
    url: trialUrl(input),
    init: { method, headers, ...(body !== null && { body }), credentials: 'omit', cache: 'no-store' },
  };
}

/** The header that carries the key: `API-KEY` in v1 and v2, a bearer token in v3. */
const keyHeader = (path: string, key: string): Record<string, string> =>
  /^\/v[12]\//.test(path) ? { 'api-key': key } : { authorization: `Bearer ${key}` };

export const isProblem = (trial: TrialRequest | TrialProblem): trial is TrialProblem => 'kind' in trial;

/** @throws if there was no answer */
export async function sendTrial(
  { url, init }: TrialRequest,
  { fetch, nowMs }: { fetch: (url: string, init: RequestInit) => Promise<Response>; nowMs: () => number },
): Promise<TrialAnswer> {
  const startedMs = nowMs();
  const reply = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const text = await reply.text();
  const durationMs = Math.round(nowMs() - startedMs);
  const json = isJson(text) ? (JSON.parse(text) as unknown) : null;
  return {
    status: reply.status,
    name: reply.statusText,
    durationMs,
    text: json === null ? text : JSON.stringify(json, null, 2),
    json,
  };
}

/** A text field of the answer. */
export function textField(json: unknown, name: string): string | null {
  if (typeof json !== 'object' || json === null) return null;
  const value = (json as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : null;
}

function trialUrl({ path, pathValues, queryValues }: TrialInput): string {
  const filled = path.replace(/\{(\w+)\}/g, (_place, name: string) =>
    encodeURIComponent((pathValues[name] ?? '').trim()),
  );
  const query = new URLSearchParams(
    Object.entries(queryValues).filter(([, value]) => value.trim() !== ''),
  ).toString();
  return query === '' ? filled : `${filled}?${query}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
