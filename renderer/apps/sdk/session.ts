/** Creates a session with a publishable key, directly from the browser (`POST /v3/initialize` allows any origin). */
import { isPortal } from '../../http/portal.ts';
import type { CheckErrorCode } from './gatehouse.d.ts';
import { isKeptFrom, isLocal, isMixed } from './reach.ts';

/** Where the check starts, and where it returns after a redirect. */
export type SessionRequest = { origin?: string; return_path?: string; config?: Record<string, unknown> };

/** A call without an answer by then is `unreachable`. */
const ANSWER_WITHIN_MS = 15_000;
/** The browser may ask the person first. */
const LOCAL_ANSWER_WITHIN_MS = 60_000;

/** @returns the session's ID @throws GatehouseError `unreachable`, `sign_in_to_network`, `refused` */
export async function makeSession(base: string, key: string, request: SessionRequest): Promise<string> {
  let response: Response;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), isLocal(base) ? LOCAL_ANSWER_WITHIN_MS : ANSWER_WITHIN_MS);
  try {
    response = await fetch(`${base}/v3/initialize`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      credentials: 'omit',
      redirect: 'manual',
      body: JSON.stringify(request),
      signal: limit.signal,
      ...(isMixed(base) && { targetAddressSpace: 'local' }),
    });
  } catch {
    const isKept = await isKeptFrom(base);
    throw new GatehouseError('unreachable', isKept ? `${base} (local network access)` : base);
  } finally {
    clearTimeout(timer);
  }
  if (isPortal(response)) throw new GatehouseError('sign_in_to_network', base);
  const { detail, session_id: sessionId } = fieldsOf(await response.json().catch(() => null));
  if (typeof sessionId === 'string') return sessionId;
  throw new GatehouseError('refused', typeof detail === 'string' ? detail : String(response.status));
}

const fieldsOf = (body: unknown): Partial<Record<string, unknown>> =>
  typeof body === 'object' && body !== null ? { ...body } : {};

/** Documented in `gatehouse.d.ts`. */
export class GatehouseError extends Error {
  readonly code: CheckErrorCode;
  readonly detail: string;

  constructor(code: CheckErrorCode, detail: string) {
    super(`${code}: ${detail}`);
    this.name = 'GatehouseError';
    this.code = code;
    this.detail = detail;
  }
}
