/**
 * How a run settles: decisions §5, rules 1 to 9, as one pure function. Facts are gathered first, effects come after.
 */
import { type Period, periodStart } from './days.ts';
import { type Identity, sameIdentity } from './identity.ts';
import { inPool, type Pool, poolOf } from './pool.ts';
import type { Reason } from './reasons.ts';
import type { ResolvedConfig } from './verification-config.ts';

export type LivenessOutcome =
  | { passed: true }
  | { passed: false; selfMismatch: boolean; spoofSuspected: boolean; attemptsLeftAfter: number };

/** The run that is about to settle. */
export type Run = {
  nowMs: number;
  verificationId: string;
  group: string | null;
  includeGroups: readonly string[];
  externalId: string | null;
  /** Seeded or proven credential. */
  identity: Identity | null;
  declined: boolean;
  /** Null when no check was made (declined, or known before the capture). */
  liveness: LivenessOutcome | null;
  config: Pick<ResolvedConfig, 'collisionAction' | 'limit' | 'skipWindowMs'>;
};

export type PassFact = {
  id: string;
  verificationId: string;
  group: string | null;
  status: 'approved' | 'denied';
  reasons: readonly Reason[];
  externalId: string | null;
  identity: Identity | null;
  settledAt: number;
  lockedAt: number | null;
  /** The person disconnected: the pass vouches for nothing and collides with nothing, but was used. */
  revokedAt: number | null;
};

export type PersonFact = { id: string; externalIds: readonly string[]; passes: readonly PassFact[] };

export type Facts = {
  /** The person the face belongs to, by the same-person rule; or, before a capture, the seeded identity's owner. */
  person: PersonFact | null;
  /** Other people whom the face only comes near. */
  near: readonly PersonFact[];
  /** Owner of the run's credential, and of its external id, in the scope. */
  identityOwnerId: string | null;
  externalIdOwnerId: string | null;
  /** The scope's settlements of the day have reached the cap. */
  capReached: boolean;
};

export type Outcome =
  | { kind: 'skip'; passId: string }
  | { kind: 'retry' }
  | {
      kind: 'settle';
      status: 'approved' | 'denied';
      reasons: Reason[];
      groups: string[];
      declined: boolean;
      /** Counts against the daily cap. */
      metered: boolean;
    }
  | { kind: 'review'; reasons: Reason[]; groups: string[]; suspectIds: string[] };

/** Denials that mark a person's history (rule 6, `linked_denial`). */
const LINKING_DENIALS: readonly Reason[] = ['spoof_suspected', 'identity_mismatch', 'reviewer_denied'];

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
  // An earlier pass of the person's must not stand for a run that is locked to someone else's identity.
  const isOwnIdentity = facts.identityOwnerId === null || facts.identityOwnerId === facts.person?.id;
  const mayVouch = checkStands && isOwnIdentity;
  const skipped = mayVouch ? passToSkipTo(run, facts.person) : null;
  if (skipped) return { kind: 'skip', passId: skipped.id };
  if (facts.capReached) return denied(['usage_cap_exceeded'], false);
  if (run.liveness && !run.liveness.passed) {
    if (run.liveness.attemptsLeftAfter > 0) return { kind: 'retry' };
    return denied([livenessReason(run.liveness)], true);
  }
  const hard = hardDenials(run, facts);
  if (hard.reasons.length > 0) return denied(hard.reasons, true, groupsOf(hard.offending));
  return judgeFindings(run, facts);
}

function livenessReason(liveness: { selfMismatch: boolean; spoofSuspected: boolean }): Reason {
  if (liveness.selfMismatch) return 'face_self_mismatch';
  return liveness.spoofSuspected ? 'spoof_suspected' : 'liveness_failed';
}

/**
 * Rule 2. The latest pass on this verification in the same group, if a fresh run would only repeat it.
 * Exported for the moment before the capture, when a seeded identity already tells who comes.
 */
export function passToSkipTo(
  run: Pick<Run, 'nowMs' | 'verificationId' | 'group' | 'externalId' | 'config'>,
  person: PersonFact | null,
): PassFact | null {
  if (!person || run.config.skipWindowMs === 0) return null;
  const here = person.passes.filter((pass) => pass.verificationId === run.verificationId);
  // After a lock the person must verify again, in whatever group it was (rule 5).
  if (here.some(isLocked)) return null;
  const latest = here
    .filter((pass) => pass.group === run.group)
    .reduce<PassFact | null>((last, pass) => (last && last.settledAt > pass.settledAt ? last : pass), null);
  if (latest?.status !== 'approved' || latest.revokedAt !== null) return null;
  // A clock set back makes the pass lie in the future: it is recent all the same.
  if (run.nowMs - latest.settledAt >= run.config.skipWindowMs) return null;
  return run.externalId === null || run.externalId === latest.externalId ? latest : null;
}

/** Reasons with the passes that they rest on. */
type Found = { reasons: Reason[]; offending: PassFact[] };

const isLocked = (pass: PassFact): boolean => pass.lockedAt !== null;

/** Rule 5: all that apply, in this order. */
function hardDenials(run: Run, facts: Facts): Found {
  const { person, identityOwnerId, externalIdOwnerId } = facts;
  const reasons: Reason[] = [];
  if (identityOwnerId !== null && identityOwnerId !== person?.id) reasons.push('identity_mismatch');
  if (externalIdOwnerId !== null && externalIdOwnerId !== person?.id)
    reasons.push('external_identity_mismatch');
  if (!person) return { reasons, offending: [] };
  const here = person.passes.filter((pass) => pass.verificationId === run.verificationId);
  const locked = here.filter(isLocked);
  if (locked.length > 0) reasons.push('pass_locked');
  const metered = passesUsingUpLimit(run, here, poolOf(run.group, run.includeGroups));
  if (metered.length > 0) reasons.push('limit_reached');
  return { reasons, offending: [...locked, ...metered] };
}

/** Empty while the limit has room. */
function passesUsingUpLimit(run: Run, passesHere: readonly PassFact[], pool: Pool): PassFact[] {
  const { kind, max } = run.config.limit;
  if (kind === 'none') return [];
  const since = periodStart(kind satisfies Period, run.nowMs);
  const used = passesHere.filter(
    (pass) => pass.status === 'approved' && inPool(pool, pass.group) && pass.settledAt >= since,
  );
  return used.length >= max ? used : [];
}

/** Rules 6, 7 and 9. */
function judgeFindings(run: Run, facts: Facts): Outcome {
  const { reasons, offending } = findings(run, facts.person);
  const groups = groupsOf(offending);
  const suspects = facts.person ? [] : nearInPool(run, facts.near);
  if (run.config.collisionAction === 'review' && (reasons.length > 0 || suspects.length > 0)) {
    return reasons.length > 0 && facts.person
      ? { kind: 'review', reasons, groups, suspectIds: [facts.person.id] }
      : {
          kind: 'review',
          reasons: [collisionReason(run)],
          groups: groupsOf(suspects.flatMap((suspect) => approvedInPool(run, suspect))),
          suspectIds: suspects.map((suspect) => suspect.id),
        };
  }
  const passes = reasons.length === 0 || run.config.collisionAction === 'flag';
  return {
    kind: 'settle',
    status: passes ? 'approved' : 'denied',
    reasons,
    groups,
    declined: false,
    metered: true,
  };
}

const collisionReason = (run: Run): Reason => (run.group === null ? 'collision_company' : 'collision');

function findings(run: Run, person: PersonFact | null): Found {
  if (!person) return { reasons: [], offending: [] };
  const reasons: Reason[] = [];
  const offending: PassFact[] = [];
  const add = (reason: Reason, passes: PassFact[]) => {
    reasons.push(reason);
    offending.push(...passes);
  };
  const otherAccounts = approvedInPool(run, person).filter((pass) => !sameAccount(run, pass));
  if (otherAccounts.length > 0) add(collisionReason(run), otherAccounts);
  if (run.externalId !== null && person.externalIds.some((id) => id !== run.externalId)) {
    add(
      'duplicate_account',
      person.passes.filter((pass) => pass.status === 'approved' && isOtherExternalId(run, pass)),
    );
  }
  const pool = poolOf(run.group, run.includeGroups);
  const denials = person.passes.filter(
    (pass) =>
      pass.status === 'denied' &&
      inPool(pool, pass.group) &&
      pass.reasons.some((reason) => LINKING_DENIALS.includes(reason)),
  );
  if (denials.length > 0) add('linked_denial', denials);
  return { reasons, offending };
}

const isOtherExternalId = (run: Run, pass: PassFact): boolean =>
  pass.externalId !== null && pass.externalId !== run.externalId;

function sameAccount(run: Run, pass: PassFact): boolean {
  if (run.externalId !== null && run.externalId === pass.externalId) return true;
  return run.identity !== null && pass.identity !== null && sameIdentity(run.identity, pass.identity);
}

function approvedInPool(run: Run, person: PersonFact): PassFact[] {
  const pool = poolOf(run.group, run.includeGroups);
  return person.passes.filter(
    (pass) => pass.status === 'approved' && pass.revokedAt === null && inPool(pool, pass.group),
  );
}

const nearInPool = (run: Run, near: readonly PersonFact[]): PersonFact[] =>
  near.filter((person) => approvedInPool(run, person).length > 0);

/** Groups of the passes that caused a finding; ungrouped history names none (contract, confirmation `groups`). */
function groupsOf(passes: readonly PassFact[]): string[] {
  return [...new Set(passes.flatMap((pass) => (pass.group === null ? [] : [pass.group])))].sort();
}
