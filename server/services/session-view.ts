/** How a session looks to the page that runs it (decisions §6, Snapshot). */
import type {
  FlowResult,
  FlowStep,
  HandoffState,
  Presentation,
  SessionState,
  Snapshot,
} from '../contract/flow.ts';
import { returnTarget, withResult } from '../domain/return-url.ts';
import { type ResolvedConfig, resolveConfig } from '../domain/verification-config.ts';
import { isVerified } from '../domain/pass.ts';
import { findCompany } from '../store/companies.ts';
import { findPass, type Pass } from '../store/passes.ts';
import { findHandoffOf } from '../store/handoffs.ts';
import type { SqlReader } from '../store/port.ts';
import type { Session } from '../store/sessions.ts';
import { findVerification, type Verification } from '../store/verifications.ts';
import type { ServiceDeps } from './deps.ts';
import { phoneState } from './phone-state.ts';

/** Product spec, "Privacy": templates go after three years without a visit at most. */
export const TEMPLATE_RETENTION_DAYS = 3 * 365;

/** The config that a run is judged by: its own, verbatim, or the verification's (contract, initialize rule 6). */
export function configOf(session: Session, verification: Verification | undefined): ResolvedConfig {
  return resolveConfig(session.request.config ?? verification?.config ?? {}, session.generation);
}

export function stateOf(session: Session, checking: ReadonlySet<string>, nowMs: number): SessionState {
  if (session.state !== 'open') return session.state;
  if (checking.has(session.id)) return 'checking';
  return nowMs >= session.expiresAt ? 'expired' : 'open';
}

export async function snapshotOf(deps: ServiceDeps, session: Session): Promise<Snapshot> {
  const { db, clock, checking } = deps;
  const verification = await findVerification(db, session.scope.companyId, session.verificationId);
  const company = await findCompany(db, session.scope.companyId);
  const config = configOf(session, verification);
  const state = stateOf(session, checking, clock.now());
  const result = await resultOf(deps, session, verification);
  return {
    session_id: session.id,
    state,
    step: stepOf(session, state, config),
    is_test: session.scope.partition === 'test',
    branding: { organiser: company?.name ?? '', logo_url: null },
    attempts_left: session.attemptsLeft,
    findings: session.findings,
    auto_return: session.request.autoReturn ?? config.autoReturn,
    retention_days: TEMPLATE_RETENTION_DAYS,
    expires_at: new Date(session.expiresAt).toISOString(),
    phone: config.phoneRequired ? await phoneState(db, session) : null,
    handoff: await handoffState(db, session),
    result,
  };
}

function stepOf(session: Session, state: SessionState, config: ResolvedConfig): FlowStep {
  return state === 'settled' || state === 'in_review' ? 'result' : dueStep(session, config);
}

/** The step that an open run waits for. */
export function dueStep(session: Session, config: ResolvedConfig): Exclude<FlowStep, 'result'> {
  if (session.consentAt === null) return 'consent';
  return config.phoneRequired && session.provenPhone === null ? 'phone' : 'capture';
}

async function handoffState(db: SqlReader, session: Session): Promise<HandoffState | null> {
  const handoff = await findHandoffOf(db, session.id);
  if (!handoff) return null;
  const opened = handoff.openedAt === null ? 'offered' : 'opened';
  return {
    state: handoff.confirmedAt === null ? opened : 'confirmed',
    expires_at: new Date(handoff.expiresAt).toISOString(),
  };
}

/** No address to return to. */
const NOWHERE = { redirectUrl: null, origin: null, returnPath: null };

async function resultOf(
  { db, tokens }: ServiceDeps,
  session: Session,
  verification: Verification | undefined,
): Promise<FlowResult | null> {
  if (session.passId === null || session.settledAt === null) return null;
  const pass = await findPass(db, session.scope, session.passId);
  const verified = pass !== undefined && isVerified(pass);
  // Signed over the moment of settling, so that asking again gives the same token and no longer life.
  const vyt = tokens.mint({ passId: session.passId, mintedAt: session.settledAt });
  const vyc = pass?.status === 'approved' ? 1 : 0;
  const target = returnTarget({ request: session.request, verification: verification ?? NOWHERE });
  const requested = returnTarget({
    request: { ...NOWHERE, redirectUrl: session.request.redirectUrl },
    verification: NOWHERE,
  });
  const carry = (to: URL | null) => to && withResult(to, session.request.passParams, { vyt, vyc });
  return {
    verified,
    presented: presentationOf(pass),
    return_url: carry(target),
    requested_url: carry(requested),
    vyt,
    vyc,
  };
}

function presentationOf(pass: Pass | undefined): Presentation {
  if (!pass) return 'pending';
  if (pass.status === 'denied') return pass.declined ? 'declined' : 'denied';
  return pass.reasons.length > 0 ? 'flagged' : 'approved';
}
