/** The result of an ended run for the person, and the address they return to. */
import type { FlowResult, Presentation } from '../../../contract/flow.ts';
import { hasPassedBefore, isVerified } from '../../../domain/passes/pass.ts';
import { returnTarget, withResult } from '../../../domain/runs/return-url.ts';
import { findPass, type Pass } from '../../../store/passes/passes.ts';
import type { SqlReader } from '../../../store/sql/port.ts';
import { readTestClock } from '../../../store/people/test-clock.ts';
import { listRunEvents } from '../../../store/runs/run-events.ts';
import type { Session } from '../../../store/runs/sessions.ts';
import type { Verification } from '../../../store/companies/verifications.ts';
import { statusTokenOf, vyStatusOf } from '../../connections/status-token.ts';
import { OWN_PROOF_MS } from '../../connections/own-proof.ts';
import type { Ports } from '../../ports/ports.ts';
import type { ResultTokens } from '../../passes/result-tokens.ts';
import type { ConnectSigner } from '../../connections/signer.ts';

/** No address to return to. */
const NOWHERE = { redirectUrl: null, origin: null, returnPath: null };

/** Null until the run has a pass or is in review. @param known its pass, null if it has none yet */
export async function resultOf(
  deps: Pick<Ports, 'db' | 'clock'> & { tokens: ResultTokens; connect: ConnectSigner },
  session: Session,
  verification: Verification | undefined,
  known?: Pass | null,
): Promise<FlowResult | null> {
  if (session.passId === null || session.settledAt === null) return null;
  const pass =
    known === undefined ? await findPass(deps.db, session.scope, session.passId) : (known ?? undefined);
  // Dated when the run settled, so that reading it again returns the same token with the same expiry.
  const mintedAt = session.settledAt + (await readTestClock(deps.db, session.scope));
  const vyt = deps.tokens.mint({ passId: session.passId, mintedAt }, session.id);
  const vyc = pass?.status === 'approved' ? 1 : 0;
  const requested = returnTarget({
    request: { ...NOWHERE, redirectUrl: session.request.redirectUrl },
    verification: NOWHERE,
  });
  // Contract, v1 rule 1: only if `redirect_url` was given. The others fall back on the verification's saved address.
  const target =
    session.generation === 'v1'
      ? requested
      : returnTarget({ request: session.request, verification: verification ?? NOWHERE });
  const carried = target === null && requested === null ? {} : carriedBack(deps, session, pass, { vyt, vyc });
  const ownData = ownDataOf(deps, session, pass);
  const carry = (to: string | null) => to && withResult(to, session.request.passParams, carried);
  return {
    verified: pass !== undefined && isVerified(pass),
    presented: presentationOf(pass),
    ...(await passedBefore(deps.db, session, pass)),
    return_url: carry(target),
    requested_url: carry(requested),
    vyt,
    vyc,
    ...(ownData !== null && { own_data: ownData }),
  };
}

/**
 * Only for a denial of a capture that a paired kiosk signed. Anyone can hold a photo to another camera, and would learn
 * whether its face is enrolled; there it is left out of every denial, so that its absence says nothing either.
 */
async function passedBefore(
  db: SqlReader,
  { scope, id }: Session,
  pass: Pass | undefined,
): Promise<Pick<FlowResult, 'passed_before'>> {
  if (pass?.status !== 'denied') return {};
  const attempt = (await listRunEvents(db, scope, id)).findLast(({ kind }) => kind === 'attempt');
  const isSigned = attempt?.kind === 'attempt' && attempt.details.capture?.trusted === true;
  return isSigned ? { passed_before: hasPassedBefore(pass.reasons) } : {};
}

/**
 * Proves whose data a run has just made, for its guest alone. Only an approval without reasons: in any other run the face or
 * the account may be somebody else's. A kiosk is not the guest's own device.
 */
function ownDataOf(
  { connect, clock }: Pick<Ports, 'clock'> & { connect: ConnectSigner },
  { id, device, settledAt }: Session,
  pass: Pass | undefined,
): string | null {
  if (pass?.status !== 'approved' || pass.reasons.length > 0 || pass.personId === null) return null;
  if (device === 'kiosk') return null;
  const expiresAt = Math.max(settledAt ?? 0, pass.settledAt) + OWN_PROOF_MS;
  return clock.now() < expiresAt ? connect.mintOwnProof({ sessionId: id, expiresAt }) : null;
}

/** Each generation's own result: v3's token and hint, v2's token and status, nothing in v1. */
function carriedBack(
  deps: { connect: ConnectSigner },
  session: Session,
  pass: Pass | undefined,
  { vyt, vyc }: { vyt: string; vyc: 0 | 1 },
): Record<string, string> {
  switch (session.generation) {
    case 'v1':
      return {};
    case 'v2':
      return { vy_token: statusTokenOf(deps, session), vy_status: vyStatusOf(session, pass) };
    case 'v3':
      return { vyt, vyc: String(vyc) };
  }
}

function presentationOf(pass: Pass | undefined): Presentation {
  if (!pass) return 'pending';
  if (pass.status === 'denied') return pass.declined ? 'declined' : 'denied';
  return pass.reasons.length > 0 ? 'flagged' : 'approved';
}
