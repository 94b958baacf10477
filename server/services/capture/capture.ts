/** From the verdict on a capture to its settlement: one capture of a session at a time, identification, outcome. */
import type { DeniedPictures } from './denied-pictures.ts';
import type { CameraSeen } from '../../contract/capture.ts';
import type { LivenessStep, Snapshot } from '../../contract/flow.ts';
import { CHECK_LEASE_MS } from '../../domain/runs/progress.ts';
import { reflectsPage } from '../../domain/capture/attack/signals.ts';
import { framesForReview, framingOf } from '../../domain/reviews/framing.ts';
import type { FrameEvidence } from '../../domain/capture/evidence.ts';
import type { Doubt } from '../../domain/capture/exchange/judgement.ts';
import type { Claim } from '../../domain/capture/exchange/state.ts';
import { type LivenessVerdict, observedFindings } from '../../domain/capture/liveness.ts';
import { normalisedMean } from '../../domain/matching/matching.ts';
import { explainScore, type RiskSignals, riskScore } from '../../domain/settling/score.ts';
import type { CaseFrame } from '../../store/reviews/case-frames.ts';
import {
  type Challenge,
  findChallenge,
  keepStepOrder,
  replaceChallenge,
  spendChallenge,
} from '../../store/capture/challenges.ts';
import { cropFace, showsWholeHead } from '../../face/pictures/crop.ts';
import type { Verification } from '../../store/companies/verifications.ts';
import { type Session } from '../../store/runs/sessions.ts';
import { countChecks, leaseCheck, releaseCheck } from '../../store/runs/session-checks.ts';
import type { Ports } from '../ports/ports.ts';
import type { FaceIndex } from '../matching/face-index.ts';
import type { ResultTokens } from '../passes/result-tokens.ts';
import type { ConnectSigner } from '../connections/signer.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { authoriseStep } from '../runs/flow.ts';
import { snapshotOf, type SnapshotDeps } from '../runs/sessions/session-view.ts';
import { claimedIn } from './claim.ts';
import { type Identified, identify, searchFaceIndex } from '../matching/identification.ts';
import { poolOfRun } from '../matching/face-pool.ts';
import { newNonce, sha256 } from '../ports/ids.ts';
import { rememberFrames } from '../matching/replay.ts';
import { identifyByTicket } from '../matching/sealed-faces.ts';
import { rememberFaces, type RestingFaces } from '../matching/seen-faces.ts';
import { type CheckedFace, settleChecked, type Settled } from '../settling/settlement.ts';

/** A capture that is judged but not settled yet. */
export type JudgedCapture = {
  verdict: LivenessVerdict;
  /** What remained when no more steps could be requested, whether it passed or not. Defaults to none. */
  doubt?: Doubt;
  /** Of every frame that counts; `pictures` in the same order, null if the bytes are no longer held. */
  evidence: readonly FrameEvidence[];
  pictures: readonly { jpeg: Uint8Array | null; takenAtMs: number }[];
  /** Remembered for a day; left out where no faces are. */
  restingFaces?: RestingFaces | undefined;
  camera: CameraSeen | undefined;
  /** A paired kiosk signed all pictures. */
  isTrusted?: boolean;
  /** The shorter check was enough for the face of the ticket's guest. */
  claim?: Claim | undefined;
  /** Opens the face that is sealed with the run's ticket. Defaults to none. */
  ticketKey?: Uint8Array | null;
  receivedAtMs: number;
  /** Called with the error if no photo could be made of a guest who agreed to one. */
  onPhotoLost: (error: unknown) => void;
};

/**
 * Makes this capture the only one that can settle the session; captures that began earlier no longer can. The order of
 * its steps stays the same until a verdict, on every node, device and connection.
 * @param endsAfterMs when a verdict comes too late @param drawn the order, if the session has none yet
 * @returns the nonce that settles the session, the order of its steps, and whether an earlier capture of the session took too
 * long after one of them was shown
 */
export async function openCapture(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { id: sessionId, scope }: Pick<Session, 'id' | 'scope'>,
  endsAfterMs: number,
  drawn: readonly LivenessStep[],
): Promise<{ nonce: string; order: LivenessStep[]; wasSlow: boolean }> {
  const nonce = newNonce();
  const issuedAt = clock.now();
  const nonceHash = sha256(nonce);
  const challenge = { nonceHash, sessionId, issuedAt, expiresAt: issuedAt + endsAfterMs };
  const kept = await db.tx(async (tx) => {
    await replaceChallenge(tx, challenge);
    return keepStepOrder(tx, scope, sessionId, drawn);
  }, scope);
  return { nonce, ...kept };
}

/** What settles a run with its capture. */
export type SettlingDeps = Pick<Ports, 'db' | 'clock' | 'faces'> & {
  faceIndex: FaceIndex;
  tokens: ResultTokens;
  connect: ConnectSigner;
  codes: SnapshotDeps['codes'];
  deniedPictures: DeniedPictures;
};

/**
 * Settles the run with the capture that holds this nonce, or uses up one attempt, while no other capture can. Frames
 * are not stored, except the few that a reviewer compares if the run goes to review.
 * @param judge called once the session is leased to this capture
 * @throws Refusal `wrong_step`, `challenge_expired`, `challenge_used`, and what `judge` throws
 */
export async function settleCapture(
  deps: SettlingDeps,
  session: Session,
  nonce: string,
  judge: () => Promise<JudgedCapture>,
): Promise<Snapshot> {
  const verification = await authoriseStep(deps, session, 'capture');
  const challenge = await takeChallenge(deps, session, nonce, deps.clock.now());
  let settled: Settled;
  try {
    settled = await settleJudged(deps, session, { verification, challenge, ...(await judge()) });
  } catch (error) {
    await deps.db.tx((tx) => releaseCheck(tx, session.scope, session.id, challenge.nonceHash), session.scope);
    throw error;
  }
  await deps.faceIndex.catchUp(session.scope);
  return snapshotOf(deps, settled.session, { verification, ...settled });
}

/**
 * Uses up the nonce and leases the session to this capture. The settling transaction ends the lease and a failure
 * releases it; the lease of a killed process expires.
 */
async function takeChallenge(
  { db }: Pick<Ports, 'db'>,
  session: Session,
  nonce: string,
  nowMs: number,
): Promise<Challenge> {
  const challenge = await findChallenge(db, session.id, sha256(nonce));
  if (!challenge) throw new Refusal('challenge_expired');
  if (challenge.usedAt !== null) throw new Refusal('challenge_used');
  if (nowMs >= challenge.expiresAt) throw new Refusal('challenge_expired');
  const { nonceHash } = challenge;
  await db.tx(async (tx) => {
    if ((await spendChallenge(tx, session.id, nonceHash, nowMs)) === 0) throw new Refusal('challenge_used');
    const lease = { nonceHash, at: nowMs, until: nowMs + CHECK_LEASE_MS };
    if ((await leaseCheck(tx, session.scope, session.id, lease)) === 0) throw new Refusal('wrong_step');
  }, session.scope);
  return challenge;
}

/** Captures that are currently being judged, in all scopes. */
export const checksUnderWay = ({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> =>
  countChecks(db, clock.now());

type Settling = JudgedCapture & { verification: Verification | undefined; challenge: Challenge };

async function settleJudged(
  deps: Omit<SettlingDeps, 'tokens' | 'codes'>,
  session: Session,
  judged: Settling,
): Promise<Settled> {
  const { verdict, evidence, restingFaces, challenge, verification, camera, receivedAtMs } = judged;
  const { doubt = 'none', isTrusted = false, claim, ticketKey: key = null } = judged;
  const probe = meanOf(verdict.goodFrames, evidence);
  const photo = session.photoUntil === null ? null : await photoOf(judged);
  const { pool, isSealed } = await poolOfRun(deps.db, session);
  const search = probe && !isSealed ? await searchFaceIndex(deps, pool, probe) : null;
  const settled = await settleChecked(
    deps,
    { session, verification },
    {
      liveness: verdict.passed
        ? { passed: true, isDoubtful: doubt !== 'none' }
        : {
            passed: false,
            selfMismatch: verdict.selfMismatch,
            spoofSuspected: verdict.spoofSuspected,
            attemptsLeftAfter: 0,
          },
      isTrusted,
      ...(verdict.attack && {
        light: { isLit: reflectsPage(verdict.attack.signals), isOnlyDoubt: doubt === 'light' },
      }),
      nonceHash: challenge.nonceHash,
      findings: verdict.personFindings,
      observed: observedFindings(verdict),
      async guard(tx) {
        if (restingFaces) await rememberFaces(tx, session.id, restingFaces, receivedAtMs);
        return rememberFrames(tx, evidence, receivedAtMs);
      },
      async identify(tx, owners) {
        const claimed = await claimedIn(tx, session, claim);
        const found = await identify(deps, tx, { session, owners, claimed }, search);
        const byTicket = isSealed
          ? await identifyByTicket(deps, tx, { session, pool, probe, key, claimed })
          : undefined;
        return {
          isFastLane: claim !== undefined,
          ...faceOf(deps, session, verdict, {
            probe,
            views: verdict.viewFrames.flatMap((frames) => meanOf(frames, evidence) ?? []),
            camera,
            isTrusted,
            ...found,
          }),
          ...byTicket,
          pictures: picturesOf(judged),
          photo,
        };
      },
    },
  );
  if (settled.pass?.status === 'denied') deps.deniedPictures.keep(session.id, picturesOf(judged));
  return settled;
}

/** Averages frames, because the mean vector has a much smaller error than any single frame. */
function meanOf(indices: readonly number[], evidence: readonly FrameEvidence[]): Float32Array | null {
  const vectors = indices.flatMap((index) => evidence[index]?.embedding ?? []);
  return vectors.length > 0 ? normalisedMean(vectors) : null;
}

/** The pictures that a reviewer would compare: the best of those that are held. */
function picturesOf({ pictures, evidence, verdict }: JudgedCapture): CaseFrame[] {
  const held = verdict.goodFrames.filter((index) => (pictures[index]?.jpeg?.length ?? 0) > 0);
  return framesForReview(held, evidence).flatMap((index) => {
    const [picture, measured] = [pictures[index], evidence[index]];
    const framing = measured && framingOf(measured);
    return picture?.jpeg && framing ? { jpeg: picture.jpeg, takenAt: picture.takenAtMs, framing } : [];
  });
}

/**
 * The photo that is kept of a guest who agreed to it: the face in the best resting still, if possible with the whole
 * head. A photo that cannot be made is a loss, but never the guest's: the verdict stands without it.
 */
async function photoOf(judged: JudgedCapture): Promise<CaseFrame | null> {
  const whole = ({ framing }: CaseFrame) => (showsWholeHead(framing) ? 0 : 1);
  let lost: unknown = new Error('No picture was held.');
  for (const { jpeg, framing, takenAt } of picturesOf(judged).toSorted((a, b) => whole(a) - whole(b))) {
    try {
      return { ...(await cropFace(jpeg, framing)), takenAt };
    } catch (error) {
      lost = error;
    }
  }
  if (judged.verdict.passed)
    judged.onPhotoLost(new Error('The photo of a guest could not be made.', { cause: lost }));
  return null;
}

/** The findings about the face from verdict and search, for the settlement. */
function faceOf(
  { faces }: Pick<Ports, 'faces'>,
  { device }: Session,
  { quality, genuineScore, attack }: LivenessVerdict,
  {
    probe,
    views,
    camera,
    isTrusted,
    personId,
    nearIds,
    alsoSameIds,
    nearness,
    likeness,
  }: Identified & {
    probe: Float32Array | null;
    views: readonly Float32Array[];
    camera: CameraSeen | undefined;
    isTrusted: boolean;
  },
): CheckedFace {
  const signals: RiskSignals = {
    genuineScore: Math.min(genuineScore, 1 - (attack?.score ?? 0)),
    quality,
    nearness,
    desktop: device === 'desktop',
    unsigned: !isTrusted,
    camera,
  };
  return {
    personId,
    nearIds,
    alsoSameIds,
    likeness,
    enrolment: probe && {
      kind: 'template',
      model: faces.embeddingModel,
      vector: probe,
      quality,
      views,
    },
    score: riskScore(signals),
    scoreParts: explainScore(signals),
  };
}
