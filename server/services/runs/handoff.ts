/** A desktop hands its run to a phone by QR code; the phone proves itself with a typed number (decisions §6). */
import type {
  HandoffOpenRequest,
  HandoffOpenResponse,
  HandoffResponse,
  Snapshot,
} from '../../contract/flow.ts';
import {
  confirmHandoff,
  endHandoff,
  findHandoffByCode,
  findHandoffByToken,
  replaceHandoff,
  retakeHandoff,
  takeHandoff,
  useHandoffTry,
} from '../../store/runs/handoffs.ts';
import { findSession, type Session } from '../../store/runs/sessions.ts';
import { recordDevice } from '../../store/runs/session-holders.ts';
import type { Ports } from '../ports/ports.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { carryKey } from '../matching/sealed-faces.ts';
import { readSnapshot, refuseEnded, requireNewestPage } from './flow.ts';
import { isSameSecret, newFlowToken, newLinkCode, sha256 } from '../ports/ids.ts';
import { brandingOf, type SnapshotDeps } from './sessions/session-view.ts';

/** Long enough to fetch a phone from another room, short enough to make a photo of the screen worthless. */
export const HANDOFF_LIFETIME_MS = 5 * 60_000;
/** Two digits, 10 to 99. With three tries, one in thirty guesses succeeds. */
const MATCH_CODES = { first: 10, count: 90 } as const;

/**
 * Offers the run to a phone. The code is in the fragment, which no server log sees.
 * @param flowToken of the page that shows it
 */
export async function offerHandoff(
  deps: Pick<Ports, 'db' | 'clock' | 'randomInt' | 'baseUrl'>,
  session: Session,
  flowToken: string | null = null,
): Promise<HandoffResponse> {
  refuseEnded(deps, session);
  const code = carryKey(newLinkCode(), flowToken);
  const matchCode = String(MATCH_CODES.first + deps.randomInt(MATCH_CODES.count));
  const at = deps.clock.now();
  const expiresAt = at + HANDOFF_LIFETIME_MS;
  await deps.db.tx(async (tx) => {
    await requireNewestPage(tx, session);
    await replaceHandoff(tx, { codeHash: sha256(code), sessionId: session.id, matchCode, at, expiresAt });
  }, session.scope);
  return {
    url: `${deps.baseUrl()}/verification?vys=${session.id}#h=${code}`,
    match_code: matchCode,
    expires_at: new Date(expiresAt).toISOString(),
  };
}

/**
 * The phone's first call: the code works once, for one device.
 * @throws Refusal `not_found`, `handoff_used`, `handoff_expired`
 */
export async function openHandoff(
  deps: Pick<Ports, 'db' | 'clock'>,
  request: HandoffOpenRequest,
): Promise<HandoffOpenResponse> {
  const session = await findSession(deps.db, request.session_id);
  const codeHash = sha256(request.code);
  const offer = session && (await findHandoffByCode(deps.db, session.id, codeHash));
  if (!session || !offer) throw new Refusal('not_found');
  refuseEnded(deps, session);
  const at = deps.clock.now();
  if (offer.openedAt === null && at >= offer.expiresAt) throw new Refusal('handoff_expired');
  const token = carryKey(newFlowToken(), request.code);
  const flowTokenHash = sha256(token);
  const resumeKeyHash = request.resume_key === undefined ? null : sha256(request.resume_key);
  const taken = await deps.db.tx(async (tx) => {
    if (offer.openedAt === null) {
      return takeHandoff(tx, codeHash, { flowTokenHash, resumeKeyHash, device: request.device, at });
    }
    return resumeKeyHash === null ? 0 : retakeHandoff(tx, codeHash, { flowTokenHash, resumeKeyHash });
  }, session.scope);
  if (taken === 0) throw new Refusal('handoff_used');
  return {
    flow_token: token,
    branding: await brandingOf(deps.db, session),
    is_test: session.scope.partition === 'test',
    tries_left: offer.triesLeft,
  };
}

/**
 * The hand-off whose phone holds the token, confirmed or not.
 * @throws Refusal `flow_token_required`, `invalid_flow_token`
 */
export async function authoriseHandoff(
  deps: Pick<SnapshotDeps, 'db'>,
  sessionId: string,
  flowToken: string | null,
) {
  if (flowToken === null) throw new Refusal('flow_token_required');
  const tokenHash = sha256(flowToken);
  const known = await findHandoffByToken(deps.db, sessionId, tokenHash);
  if (!known) throw new Refusal('invalid_flow_token');
  return { known, tokenHash };
}

/**
 * The person types the desktop's number on the phone, which only then takes part in the run. Each number uses up one
 * of three tries before it is compared, so that sending many at once gains nothing.
 * @throws Refusal `flow_token_required`, `invalid_flow_token`, `wrong_number` with `tries_left`, `handoff_ended`;
 * for the right number only: `session_settled`, `session_expired`, `session_cancelled`
 */
export async function confirmNumber(
  deps: SnapshotDeps,
  sessionId: string,
  flowToken: string | null,
  number: string,
): Promise<Snapshot> {
  const { known, tokenHash } = await authoriseHandoff(deps, sessionId, flowToken);
  if (known.confirmedAt !== null) return readSnapshot(deps, sessionId);
  const session = await findSession(deps.db, sessionId);
  if (!session) throw new Refusal('not_found');
  const { scope } = session;
  const answer = await deps.db.tx(async (tx) => {
    const tried = await useHandoffTry(tx, tokenHash);
    if (!tried) return { is: 'ended' } as const;
    if (!isSameSecret(number, tried.matchCode)) {
      if (tried.triesLeft > 0) return { is: 'wrong', triesLeft: tried.triesLeft } as const;
      await endHandoff(tx, tokenHash);
      return { is: 'ended' } as const;
    }
    const present = await findSession(tx, sessionId);
    if (!present) throw new Refusal('not_found');
    refuseEnded(deps, present);
    const at = deps.clock.now();
    await confirmHandoff(tx, tokenHash, at);
    await recordDevice(tx, scope, sessionId, { device: tried.device ?? 'mobile', at });
    return { is: 'right' } as const;
  }, scope);
  switch (answer.is) {
    case 'wrong':
      throw new Refusal('wrong_number', { extra: { tries_left: answer.triesLeft } });
    case 'ended':
      throw new Refusal('handoff_ended');
    case 'right':
      return readSnapshot(deps, sessionId);
  }
}
