/**
 * How a run settles: decisions §5, rules 1 to 9, as pure functions. Callers gather the facts before and carry
 * out the effects afterwards. `findings.ts` judges the person's history.
 */
import type { ReviewReason } from '../../contract/console/reviews.ts';
import { eventGroupOf } from '../venue/event.ts';
import {
  approvedInPool,
  blockOf,
  collisionReason,
  findings,
  groupsOf,
  hardDenials,
  hasSameName,
  isLocked,
  nearInPool,
  poolOf,
} from './findings.ts';
import type { Reason } from './reasons.ts';
import type { Facts, LivenessOutcome, Outcome, PassFact, PersonFact, Run } from './facts.ts';

export type { Facts, LivenessOutcome, Outcome, PassFact, PersonFact, Run } from './facts.ts';

const denied = (reasons: Reason[], metered: boolean, groups: string[] = []): Outcome => ({
  kind: 'settle',
  status: 'denied',
  reasons,
  groups,
  declined: false,
  metered,
});

export function settle(run: Run, facts: Facts): Outcome {
  if (run.declined) {
    return {
      kind: 'settle',
      status: 'denied',
      reasons: ['declined'],
      groups: [],
      declined: true,
      metered: false,
    };
  }
  const checkStands = run.liveness === null || run.liveness.passed;
  // If the run is locked to someone else's identity, an earlier pass of the person must not count for it.
  const isOwnIdentity = facts.identityOwnerId === null || facts.identityOwnerId === facts.person?.id;
  const earlierPassCounts = checkStands && isOwnIdentity && captureDoubts(run).length === 0;
  const skipped =
    run.isWayOut === true
      ? passOfGuest(run, facts)
      : earlierPassCounts
        ? passToSkipTo(run, facts.person)
        : null;
  if (skipped) return { kind: 'skip', passId: skipped.id };
  if (facts.capReached) return denied(['usage_cap_exceeded'], false);
  if (run.liveness && !run.liveness.passed) {
    if (run.liveness.attemptsLeftAfter > 0) return { kind: 'retry' };
    return denied([livenessReason(run.liveness)], true);
  }
  if (run.isWayOut === true) return denied(['not_recognised'], true);
  const hard = hardDenials(run, facts);
  if (hard.reasons.length > 0) return denied(hard.reasons, true, groupsOf(hard.offending));
  return judgeFindings(run, facts);
}

/**
 * The result of a check if only kiosks are trusted: a pass from anywhere else has failed, and says nothing
 * about the person.
 */
export function acceptedLiveness(
  liveness: LivenessOutcome,
  { config, isTrusted }: Pick<Run, 'config' | 'isTrusted'>,
): LivenessOutcome {
  if (!liveness.passed || config.captureTrust !== 'kiosk' || isTrusted) return liveness;
  return { passed: false, selfMismatch: false, spoofSuspected: false, attemptsLeftAfter: 0 };
}

/** Why a passed capture counts only after a review. */
function captureDoubts({ liveness, config, isTrusted }: Run): ReviewReason[] {
  if (!liveness?.passed) return [];
  const isUntrusted = config.captureTrust === 'review_untrusted' && !isTrusted;
  return [
    ...(isUntrusted ? (['capture_untrusted'] as const) : []),
    ...(liveness.isDoubtful === true ? (['capture_doubtful'] as const) : []),
  ];
}

/**
 * The same before the capture, for a person known by a credential: an earlier pass counts, or the person joins
 * another region. Null if the run continues to its check.
 */
export function settleKnown(run: Run, person: PersonFact): Outcome | null {
  const skipped = passToSkipTo(run, person);
  if (skipped) return { kind: 'skip', passId: skipped.id };
  if (!mayJoin(run, person)) return null;
  return { kind: 'settle', status: 'approved', reasons: [], groups: [], declined: false, metered: false };
}

function livenessReason(liveness: { selfMismatch: boolean; spoofSuspected: boolean }): Reason {
  if (liveness.selfMismatch) return 'face_self_mismatch';
  return liveness.spoofSuspected ? 'spoof_suspected' : 'liveness_failed';
}

/**
 * Blocked people whom a reviewer must look at: the person of the face, or those whom it may be. Even a block that refuses is
 * for a reviewer then, because a near match is no proof.
 */
function blockedSuspects(run: Run, { person, near, alsoSame = [] }: Facts): PersonFact[] {
  return (person ? [person, ...alsoSame] : near).filter((one) => blockOf(run, one) !== null);
}

const idsOf = (people: readonly PersonFact[]): string[] => [...new Set(people.map(({ id }) => id))];

/** Rules 6, 7 and 9. */
function judgeFindings(run: Run, facts: Facts): Outcome {
  const pool = poolOf(run.group, run.includeGroups);
  const { reasons, offending } = findings(run, facts.person);
  const groups = groupsOf(offending);
  const suspects = facts.person ? [] : nearInPool(pool, facts.near);
  const blocked = blockedSuspects(run, facts);
  const doubts = [...captureDoubts(run), ...(blocked.length > 0 ? (['blocked'] as const) : [])];
  if (run.config.collisionAction === 'review' && (reasons.length > 0 || suspects.length > 0)) {
    return reasons.length > 0 && facts.person
      ? {
          kind: 'review',
          reasons: [...reasons, ...doubts],
          groups,
          suspectIds: idsOf([facts.person, ...blocked]),
        }
      : {
          kind: 'review',
          reasons: [collisionReason(run), ...doubts],
          groups: groupsOf(suspects.flatMap((suspect) => approvedInPool(pool, suspect))),
          suspectIds: idsOf([...blocked, ...suspects]),
        };
  }
  const passes = reasons.length === 0 || run.config.collisionAction === 'flag';
  if (passes && doubts.length > 0) {
    return {
      kind: 'review',
      reasons: [...reasons, ...doubts],
      groups: groupsOf(offending),
      suspectIds: idsOf([...blocked, ...(facts.person ? [facts.person] : suspects)]),
    };
  }
  return {
    kind: 'settle',
    status: passes ? 'approved' : 'denied',
    reasons,
    groups,
    declined: false,
    metered: true,
  };
}

// When a known person needs no new run (decisions §5, rule 2) or no new capture (§4.5).

/** Rule 2. The latest pass on this verification in the same group, if a new run would only repeat it. */
export function passToSkipTo(
  run: Pick<Run, 'nowMs' | 'verificationId' | 'generation' | 'group' | 'externalId' | 'config'>,
  person: PersonFact | null,
): PassFact | null {
  if (!person || run.config.skipWindowMs === 0 || blockOf(run, person) !== null) return null;
  const here = person.passes.filter((pass) => pass.verificationId === run.verificationId);
  // After a lock the person must verify again, in any group (rule 5).
  if (here.some(isLocked)) return null;
  const latest = here
    .filter((pass) => pass.group === run.group)
    .reduce<PassFact | null>((last, pass) => (last && last.settledAt > pass.settledAt ? last : pass), null);
  if (latest?.status !== 'approved' || latest.revokedAt !== null) return null;
  // If a clock was set back, the pass lies in the future and still counts as recent.
  if (run.nowMs - latest.settledAt >= run.config.skipWindowMs) return null;
  return run.externalId === null || hasSameName(run, latest) ? latest : null;
}

/**
 * By which a guest leaves: their latest good one of the event, also one that was made at home. Null if it is not sure who they are.
 */
function passOfGuest(run: Run, { person, alsoSame = [] }: Facts): PassFact | null {
  const isSure = run.liveness?.passed === true && captureDoubts(run).length === 0 && alsoSame.length === 0;
  if (!isSure || person === null || run.group === null) return null;
  const event = eventGroupOf(run.group);
  return person.passes
    .filter(
      ({ status, lockedAt, revokedAt }) => status === 'approved' && lockedAt === null && revokedAt === null,
    )
    .filter(({ group }) => group !== null && eventGroupOf(group) === event)
    .reduce<PassFact | null>((last, pass) => (last && last.settledAt > pass.settledAt ? last : pass), null);
}

/**
 * Contract, v2 rule 4: a person who is verified elsewhere joins a new region without a new check. A region is new if
 * they have no approved pass in it. A person with an account there, or with anything against them, is checked as
 * usual.
 */
function mayJoin(run: Run, person: PersonFact): boolean {
  if (run.generation === 'v3' || run.group === null || blockOf(run, person) !== null) return false;
  if (approvedInPool(poolOf(run.group, run.includeGroups), person).length > 0) return false;
  const own = { person, identityOwnerId: person.id, externalIdOwnerId: null };
  if (hardDenials(run, own).reasons.length > 0 || findings(run, person).reasons.length > 0) return false;
  return person.passes.some(
    (pass) =>
      pass.status === 'approved' &&
      !isLocked(pass) &&
      pass.revokedAt === null &&
      // A pass on another verification may come from any browser.
      (run.config.captureTrust === 'any' || pass.verificationId === run.verificationId),
  );
}
