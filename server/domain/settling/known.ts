/** When a known person needs no new run (decisions §5, rule 2) or no new capture (§4.5). */
import { approvedInPool, findings, hardDenials, hasSameName, isLocked, poolOf } from './findings.ts';
import type { PassFact, PersonFact, Run } from './facts.ts';

/** Rule 2. The latest pass on this verification in the same group, if a new run would only repeat it. */
export function passToSkipTo(
  run: Pick<Run, 'nowMs' | 'verificationId' | 'generation' | 'group' | 'externalId' | 'config'>,
  person: PersonFact | null,
): PassFact | null {
  if (!person || run.config.skipWindowMs === 0) return null;
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
 * Contract, v2 rule 4: a person who is verified elsewhere joins a new region without a new check. A region is new if
 * they have no approved pass in it. A person with an account there, or with anything against them, is checked as
 * usual.
 */
export function mayJoin(run: Run, person: PersonFact): boolean {
  if (run.generation === 'v3' || run.group === null) return false;
  if (approvedInPool(poolOf(run.group, run.includeGroups), person).length > 0) return false;
  const own = { person, identityOwnerId: person.id, externalIdOwnerId: null };
  if (hardDenials(run, own).reasons.length > 0 || findings(run, person).reasons.length > 0) return false;
  return person.passes.some(
    (pass) => pass.status === 'approved' && !isLocked(pass) && pass.revokedAt === null,
  );
}
