/**
 * Whether staff may leave the kiosk. Only the server knows PINs and counts failures; without its answer the kiosk
 * stays held.
 */
import type { LeaveAnswer, LeaveProof } from './channels.ts';

type LeaveRequest = {
  /** Of the kiosk's server. */
  origin: string | null;
  /** The device's token; null while the kiosk holds nothing. */
  token: string | null;
  proof: LeaveProof | null;
};

const TOKEN_HEADER = 'X-Kiosk-Token';
const ANSWER_WITHIN_MS = 8_000;

export async function mayLeave(
  { origin, token, proof }: LeaveRequest,
  send: typeof fetch,
): Promise<LeaveAnswer> {
  // A device that was never paired has no staff.
  if (token === null) return 'left';
  if (origin === null) return 'offline';
  const ask = (path: string, body: object | null) =>
    send(`${origin}/kiosk/${path}`, {
      method: body === null ? 'GET' : 'POST',
      headers: { [TOKEN_HEADER]: token, ...(body === null ? {} : { 'content-type': 'application/json' }) },
      body: body === null ? null : JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
  try {
    // The server itself must say that the token is no longer valid: only then can nobody's PIN be checked.
    if (proof === null) return (await ask('config', null)).status === 401 ? 'left' : 'refused';
    const { status } = await ask('unlock', { operator_id: proof.operatorId, pin: proof.pin });
    return ANSWERS[status] ?? 'refused';
  } catch {
    return 'offline';
  }
}

const ANSWERS: Partial<Record<number, LeaveAnswer>> = { 200: 'left', 403: 'wrong_pin', 429: 'locked_out' };
