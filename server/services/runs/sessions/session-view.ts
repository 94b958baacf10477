/** A session as its page sees it (decisions §6, Snapshot). */
import type { Ports } from '../../ports/ports.ts';
import type { ResultTokens } from '../../passes/result-tokens.ts';
import type { ConnectSigner } from '../../connections/signer.ts';
import type { Branding, FlowStep, HandoffState, SessionState, Snapshot } from '../../../contract/flow.ts';
import { logoPath } from '../../../contract/kiosk.ts';
import type { ResolvedConfig } from '../../../domain/companies/verification-config.ts';
import { dueStep, isChecking, needsPhone } from '../../../domain/runs/progress.ts';
import { eventGroupOf } from '../../../domain/venue/event.ts';
import { type Company, findCompany } from '../../../store/companies/companies.ts';
import type { Pass } from '../../../store/passes/passes.ts';
import { findHandoffOf, type Handoff } from '../../../store/runs/handoffs.ts';
import type { SqlReader } from '../../../store/sql/port.ts';
import type { Session } from '../../../store/runs/sessions.ts';
import { findLogoOfGroup } from '../../../store/venue/events.ts';
import { findKioskOfRun } from '../../../store/venue/kiosk-runs.ts';
import { findVerification, type Verification } from '../../../store/companies/verifications.ts';
import { readPrivacyContact } from '../../companies/details.ts';
import { configOf } from '../../companies/run-config.ts';
import { facePeriodOf } from '../../people/retention-settings.ts';
import { type CodeService, phoneState } from '../../phone/codes.ts';
import { photoOfferedUntil } from '../../settling/guest-photo.ts';
import { resultOf } from './session-result.ts';

/** The ports needed to read a run's state for its page. */
export type SnapshotDeps = Pick<Ports, 'db' | 'clock' | 'recording'> & {
  tokens: ResultTokens;
  connect: ConnectSigner;
  codes: Pick<CodeService, 'sends'>;
};

export function stateOf(session: Session, nowMs: number): SessionState {
  if (session.state !== 'open') return session.state;
  if (isChecking(session, nowMs)) return 'checking';
  return nowMs >= session.expiresAt ? 'expired' : 'open';
}

/** What a caller has already read of a session; a pass is null if there is none. */
type Known = { verification?: Verification | undefined; company?: Company | undefined; pass?: Pass | null };

export async function snapshotOf(deps: SnapshotDeps, session: Session, known: Known = {}): Promise<Snapshot> {
  const { db, clock, recording } = deps;
  const verification =
    known.verification ?? (await findVerification(db, session.scope.companyId, session.verificationId));
  const config = configOf(session, verification);
  const state = stateOf(session, clock.now());
  const result = await resultOf(deps, session, verification, known.pass);
  const step = stepOf(session, state, config);
  const photoUntil =
    state === 'open' && step === 'consent' ? await photoOfferedUntil(db, session, clock.now()) : null;
  const { retentionDays, facesDays, isSealed } = await shownPeriod(db, session, clock.now());
  const kioskRequired = state === 'open' && (await isKioskMissing(db, session, config));
  return {
    session_id: session.id,
    state,
    step,
    is_test: session.scope.partition === 'test',
    branding: await brandingOf(db, session, known.company),
    attempts_left: session.attemptsLeft,
    findings: session.findings,
    ...(kioskRequired && { kiosk_required: true as const }),
    auto_return: session.request.autoReturn ?? config.autoReturn,
    retention_days: retentionDays,
    ...(facesDays !== null && { faces_days: facesDays }),
    ...(isSealed && { faces_sealed: true as const }),
    ...(photoUntil !== null && { photo_until: new Date(photoUntil).toISOString() }),
    ...(recording && {
      recording: { code: recording.code, kept_until: recording.keptUntil, done: recording.isDone() },
    }),
    expires_at: new Date(session.expiresAt).toISOString(),
    phone: needsPhone(session, config) ? await phoneState(deps, session) : null,
    handoff: await handoffState(db, session),
    result,
  };
}

/** The days for which the text says that the face is kept: what the guest agreed to, and at an event with faces of its own the event's. */
async function shownPeriod(db: SqlReader, session: Session, nowMs: number) {
  const agreed = session.retentionDays;
  if (agreed !== null && session.request.group === null)
    return { retentionDays: agreed, facesDays: null, isSealed: false };
  const period = await facePeriodOf(db, session, nowMs);
  return agreed === null || period.facesDays !== null ? period : { ...period, retentionDays: agreed };
}

/** Whether the verification accepts captures of paired kiosks only, and this session does not run at one. */
export async function isKioskMissing(
  db: SqlReader,
  session: Pick<Session, 'id' | 'scope' | 'device'>,
  { captureTrust }: Pick<ResolvedConfig, 'captureTrust'>,
): Promise<boolean> {
  if (captureTrust !== 'kiosk') return false;
  if (session.device !== 'kiosk') return true;
  const kiosk = await findKioskOfRun(db, session.scope, session.id);
  return !kiosk?.publicKey;
}

/** The company that requests the check, with the logo of the run's event. */
export async function brandingOf(
  db: SqlReader,
  { scope, request }: Pick<Session, 'scope' | 'request'>,
  known?: Company,
): Promise<Branding> {
  const company = known ?? (await findCompany(db, scope.companyId));
  const group = request.group === null ? null : eventGroupOf(request.group);
  const logoId = group === null ? undefined : await findLogoOfGroup(db, scope, group);
  const contact = await readPrivacyContact(db, scope.companyId);
  return {
    organiser: company?.name ?? '',
    logo_url: logoId === undefined ? null : logoPath(logoId),
    ...(contact !== null && { privacy_contact: contact }),
  };
}

function stepOf(session: Session, state: SessionState, config: ResolvedConfig): FlowStep {
  return state === 'settled' || state === 'in_review' ? 'result' : dueStep(session, config);
}

async function handoffState(db: SqlReader, session: Session): Promise<HandoffState | null> {
  const handoff = await findHandoffOf(db, session.id);
  if (!handoff) return null;
  const state = handoffStage(handoff);
  return {
    state,
    expires_at: new Date(handoff.expiresAt).toISOString(),
    match_code: state === 'offered' || state === 'opened' ? handoff.matchCode : null,
  };
}

function handoffStage({ openedAt, confirmedAt, triesLeft }: Handoff): HandoffState['state'] {
  if (confirmedAt !== null) return 'confirmed';
  if (triesLeft === 0) return 'ended';
  return openedAt === null ? 'offered' : 'opened';
}
