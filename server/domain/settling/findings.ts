/** What a person's history means for a run: hard denials and findings (decisions §5, rules 5 and 6). */
import type { BlockAction } from '../../contract/console/blocks.ts';
import type { ReviewReason } from '../../contract/console/reviews.ts';
import { isFarAhead } from '../clock.ts';
import { type Period, periodStart } from '../days.ts';
import { sameIdentity } from '../identity.ts';
import type { Reason } from './reasons.ts';
import type { Facts, PassFact, PersonFact, Run } from './facts.ts';

/** Reasons, and the passes that caused them. */
type Found<R extends Reason = Reason> = { reasons: R[]; offending: PassFact[] };

/** Denials that count against a person's later runs (rule 6, `linked_denial`). */
const LINKING_DENIALS: readonly Reason[] = ['spoof_suspected', 'identity_mismatch', 'reviewer_denied'];

/** What the organiser has set for the person; null if nothing is in effect. */
export const blockOf = ({ nowMs }: Pick<Run, 'nowMs'>, person: PersonFact | null): BlockAction | null =>
  person?.block !== undefined && person.block.expiresAt > nowMs ? person.block.action : null;

export const isLocked = (pass: PassFact): boolean => pass.lockedAt !== null;

/**
 * Rule 5: all that apply, in this order. Only a v3 `external_id` names a person, so only it can name another
 * person.
 */
export function hardDenials(
  run: Run,
  {
    person,
    identityOwnerId,
    externalIdOwnerId,
  }: Pick<Facts, 'person' | 'identityOwnerId' | 'externalIdOwnerId'>,
): Found {
  const reasons: Reason[] = [];
  if (identityOwnerId !== null && identityOwnerId !== person?.id) reasons.push('identity_mismatch');
  if (run.generation === 'v3' && externalIdOwnerId !== null && externalIdOwnerId !== person?.id)
    reasons.push('external_identity_mismatch');
  if (!person) return { reasons, offending: [] };
  if (blockOf(run, person) === 'refuse') reasons.push('blocked');
  const here = person.passes.filter((pass) => pass.verificationId === run.verificationId);
  const locked = here.filter(isLocked);
  if (locked.length > 0) reasons.push('pass_locked');
  const metered = passesUsingUpLimit(run, here, poolOf(run.group, run.includeGroups));
  if (metered.length > 0) reasons.push('limit_reached');
  return { reasons, offending: [...locked, ...metered] };
}

/** Empty while the limit is not used up. */
function passesUsingUpLimit(run: Run, passesHere: readonly PassFact[], pool: Pool): PassFact[] {
  const { kind, max } = run.config.limit;
  if (kind === 'none') return [];
  const since = periodStart(kind satisfies Period, run.nowMs);
  const used = passesHere.filter(
    (pass) =>
      pass.status === 'approved' &&
      inPool(pool, pass.group) &&
      pass.settledAt >= since &&
      // A pass dated far ahead by a wrong clock would otherwise count in every period until then.
      (kind === 'total' || !isFarAhead(pass.settledAt, run.nowMs)),
  );
  return used.length >= max ? used : [];
}

export const collisionReason = (run: Run): ReviewReason =>
  run.group === null ? 'collision_company' : 'collision';

/** Rule 6. */
export function findings(run: Run, person: PersonFact | null): Found<ReviewReason> {
  if (!person) return { reasons: [], offending: [] };
  const pool = poolOf(run.group, run.includeGroups);
  const reasons: ReviewReason[] = [];
  const offending: PassFact[] = [];
  const add = (reason: ReviewReason, passes: PassFact[]) => {
    reasons.push(reason);
    offending.push(...passes);
  };
  const otherAccounts = approvedInPool(pool, person).filter((pass) => !sameAccount(run, pass));
  if (otherAccounts.length > 0) add(collisionReason(run), otherAccounts);
  const otherNames = passesUnderOtherNames(run, person, pool);
  if (otherNames !== null) add('duplicate_account', otherNames);
  const denials = person.passes.filter(
    (pass) =>
      pass.status === 'denied' &&
      inPool(pool, pass.group) &&
      pass.reasons.some((reason) => LINKING_DENIALS.includes(reason)),
  );
  if (denials.length > 0) add('linked_denial', denials);
  return { reasons, offending };
}

/**
 * The person's approved passes under another account ID than the run's; null if there is no other ID. A v3
 * `external_id` names a person in any group; a v1 reference and a v2 `external_id` name an account within their pool.
 */
function passesUnderOtherNames(run: Run, person: PersonFact, pool: Pool): PassFact[] | null {
  if (run.externalId === null) return null;
  const isOther = (pass: PassFact) =>
    pass.generation === run.generation && pass.externalId !== null && pass.externalId !== run.externalId;
  if (run.generation !== 'v3') {
    const others = approvedInPool(pool, person).filter(isOther);
    return others.length > 0 ? others : null;
  }
  if (!person.externalIds.some((id) => id !== run.externalId)) return null;
  return person.passes.filter((pass) => pass.status === 'approved' && isOther(pass));
}

/** IDs of two generations are separate namespaces: only a proven credential is the same account in both. */
function sameAccount(run: Run, pass: PassFact): boolean {
  if (hasSameName(run, pass)) return true;
  return run.identity !== null && pass.identity !== null && sameIdentity(run.identity, pass.identity);
}

export const hasSameName = (run: Pick<Run, 'generation' | 'externalId'>, pass: PassFact): boolean =>
  run.externalId !== null && run.generation === pass.generation && run.externalId === pass.externalId;

export function approvedInPool(pool: Pool, person: PersonFact): PassFact[] {
  return person.passes.filter(
    (pass) => pass.status === 'approved' && pass.revokedAt === null && inPool(pool, pass.group),
  );
}

export const nearInPool = (pool: Pool, near: readonly PersonFact[]): PersonFact[] =>
  near.filter((person) => approvedInPool(pool, person).length > 0);

/** Groups of the passes that caused a finding. Passes without a group add none (contract, confirmation `groups`). */
export function groupsOf(passes: readonly PassFact[]): string[] {
  return [...new Set(passes.flatMap((pass) => (pass.group === null ? [] : [pass.group])))].sort();
}

/** Groups whose history counts for a run; null means everything in the scope (decisions §5). */
type Pool = ReadonlySet<string> | null;

/** Contract, initialize rules 7 and 8. Without a group the included groups add nothing. */
export function poolOf(group: string | null, includeGroups: readonly string[]): Pool {
  return group === null ? null : new Set([group, ...includeGroups]);
}

export function inPool(pool: Pool, group: string | null): boolean {
  return pool === null || (group !== null && pool.has(group));
}
