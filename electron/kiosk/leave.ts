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
  const ask = asking(origin, token, send);
  try {
    if (proof !== null) {
      const { status } = await ask('unlock', { operator_id: proof.operatorId, pin: proof.pin });
      return ANSWERS[status] ?? 'refused';
    }
    // The server itself must say that nobody's PIN can be checked: the token is no longer valid, or nobody has a PIN.
    const staff = await ask('staff');
    if (staff.status === 401) return 'left';
    return staff.status === 200 && (await countPeople(staff)) === 0 ? 'left' : 'refused';
  } catch {
    return 'offline';
  }
}

type Device = { origin: string | null; token: string };

/** Whether the server knows the device by this token; false without its answer. */
export const isPaired = (device: Device, send: typeof fetch): Promise<boolean> =>
  isAnswered(device, 200, send);

/** Whether the server no longer knows the device by this token; false without its answer. */
export const isUnpaired = (device: Device, send: typeof fetch): Promise<boolean> =>
  isAnswered(device, 401, send);

async function isAnswered({ origin, token }: Device, status: number, send: typeof fetch): Promise<boolean> {
  if (origin === null) return false;
  try {
    return (await asking(origin, token, send)('config')).status === status;
  } catch {
    return false;
  }
}

const asking =
  (origin: string, token: string, send: typeof fetch) =>
  (path: string, body: object | null = null): Promise<Response> =>
    send(`${origin}/kiosk/${path}`, {
      method: body === null ? 'GET' : 'POST',
      headers: { [TOKEN_HEADER]: token, ...(body === null ? {} : { 'content-type': 'application/json' }) },
      body: body === null ? null : JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });

/** How many people could enter a PIN; null for an answer that is not the server's. */
async function countPeople(answer: Response): Promise<number | null> {
  const { items } = (await answer.json()) as { items?: unknown };
  return Array.isArray(items) ? items.length : null;
}

const ANSWERS: Partial<Record<number, LeaveAnswer>> = { 200: 'left', 403: 'wrong_pin', 429: 'locked_out' };
