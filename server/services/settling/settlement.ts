/**
 * Settling a run: facts are gathered and the outcome is written in one transaction with its usage count, its webhook
 * call and its audit entry (decisions §5). The rules themselves are in `domain/settling/settle.ts`, the effects of an
 * outcome in `effects.ts`.
 */
import type { PersonFinding } from '../../contract/flow.ts';
import {
  acceptedLiveness,
  type Facts,
  type LivenessOutcome,
  type Outcome,
  type Run,
  settle,
  settleKnown,
} from '../../domain/settling/settle.ts';
import type { ResolvedConfig } from '../../domain/companies/verification-config.ts';
import type { Scope } from '../../domain/scope.ts';
import { type Company, findCompany } from '../../store/companies/companies.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { insertRunEvent, type RunEventDetails } from '../../store/runs/run-events.ts';
import { isUnknownIn } from '../../store/matching/templates.ts';
import { findSession, type Session } from '../../store/runs/sessions.ts';
import { markFastLane } from '../../store/tickets/entries.ts';
import { claimSettlement, countSettledOn, latestMeteredDay } from '../../store/usage/usage.ts';
import type { Verification } from '../../store/companies/verifications.ts';
import { meteringDay } from '../../domain/days.ts';
import { isWayOutGroup } from '../../domain/venue/event.ts';
import type { Ports } from '../ports/ports.ts';
import type { ConnectSigner } from '../connections/signer.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { queueEvent } from '../webhooks/events.ts';
import { issueStatusToken } from '../connections/status-token.ts';
import { type Applied, apply, type CheckedFace, type Concluded } from './effects.ts';
import { isLightUsualFor, recordLight } from './usual-light.ts';
import { ownerUnknownIn, poolOfRun } from '../matching/face-pool.ts';
import {
  importedOwner,
  identitiesOf,
  NO_OWNERS,
  ownerFacts,
  type Owners,
  personFact,
} from '../matching/owners.ts';
import { configOf } from '../companies/run-config.ts';
import { dueStep, isChecking } from '../../domain/runs/progress.ts';

export type { CheckedFace } from './effects.ts';

type SettleDeps = Pick<Ports, 'db' | 'clock'> & { connect: ConnectSigner };

type CheckResult = {
  liveness: LivenessOutcome;
  /** For the person, if the attempt failed. */
  findings: PersonFinding[];
  /** For staff. Defaults to what the person is told. */
  observed?: readonly string[];
  /** A paired kiosk signed every still that was judged. Defaults to no. */
  isTrusted?: boolean;
  /** Left out if no frames were judged. */
  light?: CheckedLight;
  /** The capture's nonce, hashed: it settles only while no other capture has taken its lease. */
  nonceHash?: Uint8Array;
  /** False if, inside the transaction, the frames turn out to have been used by another capture. */
  guard: (tx: SqlTx) => Promise<boolean>;
  /** Searched inside the transaction, so that no one enrolled meanwhile is missed. */
  identify: (tx: SqlTx, owners: Owners) => Promise<CheckedFace>;
};

export type CheckedLight = {
  /** The skin reflected the page's light. Light that could not be measured, as before a black background, was unseen. */
  isLit: boolean;
  /** A pass is doubtful only because the light was usual when the capture began. */
  isOnlyDoubt: boolean;
};

/** A run, and the verification found when its step was authorised. */
type JudgedBy = { session: Session; verification: Verification | undefined };

/** What a settlement has read and written, so that nobody has to read it again. */
export type Settled = Concluded & { outcome: Outcome; company: Company | undefined };

/** Settles a run whose frames (or test face) were judged. */
export async function settleChecked(
  deps: SettleDeps,
  { session, verification }: JudgedBy,
  check: CheckResult,
): Promise<Settled> {
  return deps.db.tx(async (tx) => {
    const current = await stillOpen(tx, session);
    if (check.nonceHash && !isSameNonce(current.checkingNonce, check.nonceHash)) {
      throw new Refusal('wrong_step');
    }
    const config = configOf(current, verification);
    const isFresh = await check.guard(tx);
    const isTrusted = check.isTrusted === true;
    const judged = isFresh ? await withUsualLight(tx, current, check) : REPLAYED;
    const liveness = acceptedLiveness(judged, { config, isTrusted });
    if (liveness.passed && check.light) await recordLight(tx, current, check.light.isLit);
    const run = {
      ...runOf(current, config, deps.clock.now()),
      isTrusted,
      isWayOut: current.device === 'kiosk' && isWayOutGroup(current.request.group),
      liveness: livenessAfter(liveness, current),
    };
    const owners = await ownerFacts(tx, current);
    const found = await check.identify(tx, owners);
    const personId =
      found.personId ??
      (await importedOwner(tx, current.scope, owners)) ??
      (await ownerUnknownIn(tx, (await poolOfRun(tx, current)).pool, owners));
    const face = { ...found, personId };
    const day = meteringDay(run.nowMs, await latestMeteredDay(tx, current.scope));
    const company = await findCompany(tx, current.scope.companyId);
    const cap = company?.dailyLimit ?? 0;
    const factsOf = (ids: readonly string[]) =>
      Promise.all(ids.map((id) => personFact(tx, current.scope, id))).then(present);
    const facts: Facts = {
      person: face.personId === null ? null : ((await personFact(tx, current.scope, face.personId)) ?? null),
      near: await factsOf(face.nearIds),
      alsoSame: await factsOf(face.alsoSameIds ?? []),
      ...owners,
      capReached: (await countSettledOn(tx, current.scope, day)) >= cap,
    };
    const decided = settle(run, facts);
    // Another node may have used the day's last settlement since the counter was read.
    const claimed = isMetered(decided) ? await claimSettlement(tx, current.scope, day, cap) : undefined;
    const isLost = claimed === null;
    if (claimed === cap) await tellCapReached(tx, current.scope, { day, cap, at: run.nowMs });
    const outcome = isLost ? settle(run, { ...facts, capReached: true }) : decided;
    await insertRunEvent(tx, current.scope, current.id, {
      at: run.nowMs,
      kind: 'attempt',
      details: attemptOf(check, face, { passed: liveness.passed, isFresh, device: current.device }),
    });
    if (liveness.passed && face.isFastLane === true) await markFastLane(tx, current.scope, current.id);
    const findings = isFresh ? check.findings : (['try_again'] as const);
    const applied = { session: current, run, outcome, face, owners, findings, day };
    return { outcome, company, ...(await conclude(deps, tx, applied)) };
  }, session.scope);
}

/** Once a day: with the last check that may settle. */
const tellCapReached = (
  tx: SqlTx,
  scope: Scope,
  { day, cap, at }: { day: string; cap: number; at: number },
): Promise<void> =>
  queueEvent(tx, scope, {
    type: 'usage.cap_reached',
    at,
    data: () => ({ day, cap, is_test: scope.partition === 'test' }),
  });

/** Captures that began at the same time may have ended what was known of the light. */
async function withUsualLight(
  tx: SqlTx,
  session: Session,
  { liveness, light }: CheckResult,
): Promise<LivenessOutcome> {
  if (!liveness.passed || !light?.isOnlyDoubt) return liveness;
  return { passed: true, isDoubtful: await isLightUsualFor(tx, session) };
}

/** A run that goes to a reviewer counts now, whatever the decision. */
const isMetered = (outcome: Outcome): boolean =>
  outcome.kind === 'review' || (outcome.kind === 'settle' && outcome.metered);

function attemptOf(
  { observed, findings, isTrusted = false }: CheckResult,
  { scoreParts, isFastLane }: CheckedFace,
  { passed, isFresh, device }: { passed: boolean; isFresh: boolean; device: Session['device'] },
): RunEventDetails['attempt'] {
  const found = [...(observed ?? findings), ...(isFresh ? [] : ['replayed_frames'])];
  return {
    passed,
    findings: [...new Set(found)],
    capture: { device, trusted: isTrusted, ...(isFastLane === true && { fast_lane: true as const }) },
    ...(scoreParts && { score_parts: scoreParts }),
  };
}

/**
 * Rule 1: no check was made, nothing is metered.
 * @param guard throws, inside the transaction, if the person no longer holds the run
 */
export async function settleDeclined(
  deps: SettleDeps,
  session: Session,
  verification: Verification | undefined,
  guard: (tx: SqlTx) => Promise<void>,
): Promise<void> {
  await deps.db.tx(async (tx) => {
    await guard(tx);
    await settleDeclinedIn(deps, tx, session, verification);
  }, session.scope);
}

/** The same, as a part of a transaction. */
export async function settleDeclinedIn(
  deps: Omit<SettleDeps, 'db'>,
  tx: SqlTx,
  session: Session,
  verification: Verification | undefined,
): Promise<void> {
  const current = await stillOpen(tx, session);
  if (isChecking(current, deps.clock.now())) throw new Refusal('wrong_step');
  const run = { ...runOf(current, configOf(current, verification), deps.clock.now()), declined: true };
  const outcome = settle(run, {
    person: null,
    near: [],
    ...NO_OWNERS,
    capReached: false,
  });
  const day = meteringDay(run.nowMs, await latestMeteredDay(tx, current.scope));
  await conclude(deps, tx, {
    session: current,
    run,
    outcome,
    face: null,
    owners: NO_OWNERS,
    findings: [],
    day,
  });
}

/**
 * Before the capture, a credential may already identify the person: their last pass is still valid (rule 2), or they
 * join another region without a new check (decisions §4.5).
 */
export async function settleKnownPerson(
  deps: SettleDeps,
  session: Pick<Session, 'id' | 'scope'>,
  verification: Verification | undefined,
): Promise<void> {
  await deps.db.tx(async (tx) => {
    const current = await findSession(tx, session.id);
    if (current?.state !== 'open') return;
    const config = configOf(current, verification);
    if (dueStep(current, config) !== 'capture') return;
    const owners = await ownerFacts(tx, current);
    const { identityOwnerId: personId, externalIdOwnerId } = owners;
    if (personId === null || (externalIdOwnerId !== null && externalIdOwnerId !== personId)) return;
    const person = await personFact(tx, current.scope, personId);
    if (!person) return;
    const run = runOf(current, config, deps.clock.now());
    const outcome = settleKnown(run, person);
    if (!outcome) return;
    // Who joins an event without a face in its pool could come a second time, with their face alone.
    const { pool } = await poolOfRun(tx, current);
    const isFaceless = pool.eventId !== undefined && (await isUnknownIn(tx, pool, personId));
    if (outcome.kind === 'settle' && isFaceless) return;
    const day = meteringDay(run.nowMs, await latestMeteredDay(tx, current.scope));
    const face: CheckedFace = { personId, nearIds: [], enrolment: null, score: null };
    await conclude(deps, tx, { session: current, run, outcome, face, owners, findings: [], day });
  }, session.scope);
}

/** Writes the outcome with all its effects. */
async function conclude(deps: { connect: ConnectSigner }, tx: SqlTx, applied: Applied): Promise<Concluded> {
  const concluded = await apply(tx, applied);
  if (applied.outcome.kind !== 'retry') await issueStatusToken(deps, tx, applied.session, applied.run.nowMs);
  return concluded;
}

/** A run before its check. */
export function runOf(session: Session, config: ResolvedConfig, nowMs: number): Run {
  const { verificationId, request } = session;
  return {
    nowMs,
    verificationId,
    generation: session.generation,
    group: request.group,
    includeGroups: request.includeGroups,
    externalId: request.externalId,
    identity: identitiesOf(session)[0] ?? null,
    declined: false,
    liveness: null,
    isTrusted: false,
    config,
  };
}

/** If the same frames are in two concurrent captures, the second transaction finds them stored. */
const REPLAYED: LivenessOutcome = {
  passed: false,
  selfMismatch: false,
  spoofSuspected: true,
  attemptsLeftAfter: 0,
};

function livenessAfter(liveness: LivenessOutcome, session: Session): LivenessOutcome {
  return liveness.passed ? liveness : { ...liveness, attemptsLeftAfter: session.attemptsLeft - 1 };
}

const isSameNonce = (held: Uint8Array | null, own: Uint8Array): boolean =>
  held !== null && Buffer.from(own).equals(held);

async function stillOpen(tx: SqlTx, session: Session): Promise<Session> {
  const current = await findSession(tx, session.id);
  if (current?.state !== 'open') throw new Refusal('session_settled');
  return current;
}

const present = <T>(values: (T | undefined)[]): T[] => values.filter((value) => value !== undefined);
