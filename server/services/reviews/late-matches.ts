/**
 * People who were enrolled while a case waited. Its reviewer has never compared them with the run's face, so an approval
 * must not pass them over: several runs of one person, each in review, would otherwise all be approved as a new person.
 */
import { cosine } from '../../domain/matching/matching.ts';
import {
  approvedInPool,
  blockOf,
  collisionReason,
  findings,
  groupsOf,
  hardDenials,
  poolOf,
} from '../../domain/settling/findings.ts';
import type { PersonFact, Run } from '../../domain/settling/facts.ts';
import type { Reason } from '../../domain/settling/reasons.ts';
import { listEnrolledSince, listTemplatesOfPeople } from '../../store/matching/templates.ts';
import { findTestFace, listIdsKnownSince } from '../../store/people/people.ts';
import { reopenCase, type StoredCase } from '../../store/reviews/cases.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { poolOfRun } from '../matching/face-pool.ts';
import { NO_OWNERS, personFact } from '../matching/owners.ts';

type Finding = { person: PersonFact; similarity: number | null; reasons: Reason[]; groups: string[] };

/**
 * Returns the case to the queue if someone who was enrolled meanwhile conflicts with the run, with that person as its first
 * suspect.
 * @returns false if there is nobody, and the case can be settled
 */
export async function reopenForLateMatches(tx: SqlTx, opened: StoredCase, run: Run): Promise<boolean> {
  const late: Finding[] = [];
  for (const [personId, similarity] of await lateMatches(tx, opened, run)) {
    const person = await personFact(tx, opened.scope, personId);
    const found = person && conflictOf(run, person, similarity);
    if (found) late.push(found);
  }
  if (late.length === 0) return false;
  const { likeness } = opened;
  await reopenCase(tx, opened.scope, opened.id, {
    reasons: [...new Set([...opened.reasons, ...late.flatMap(({ reasons }) => reasons)])],
    groups: [...new Set([...opened.groups, ...late.flatMap(({ groups }) => groups)])].sort(),
    suspectIds: [...late.map(({ person }) => person.id), ...opened.suspectIds],
    likeness: likeness && {
      ...likeness,
      similarities: [...late.map(({ similarity }) => similarity), ...likeness.similarities],
    },
  });
  return true;
}

/** By person, the most similar first; null for a test face. Without the people whom the reviewer has seen. */
async function lateMatches(
  tx: SqlTx,
  { scope, enrolment, suspectIds, likeness, openedAt }: StoredCase,
  { config, group }: Run,
): Promise<[personId: string, similarity: number | null][]> {
  if (enrolment?.kind === 'test_face') {
    const personId = await findTestFace(tx, scope, enrolment.name);
    return personId === undefined || suspectIds.includes(personId) ? [] : [[personId, null]];
  }
  if (!enrolment || !likeness) return [];
  const least = config.collisionAction === 'review' ? likeness.near : likeness.same;
  const { pool } = await poolOfRun(tx, { scope, request: { group } });
  const found = new Map<string, number>();
  const since =
    pool.eventId === undefined
      ? await listIdsKnownSince(tx, scope, openedAt)
      : await listEnrolledSince(tx, pool, openedAt);
  const unseen = since.filter((id) => !suspectIds.includes(id));
  for (const { personId, vector } of await listTemplatesOfPeople(tx, pool, enrolment.model, unseen)) {
    const similarity = cosine(enrolment.vector, vector);
    if (similarity < least) continue;
    found.set(personId, Math.max(similarity, found.get(personId) ?? 0));
  }
  return [...found].sort(([, a], [, b]) => b - a);
}

/** As when a run settles (decisions §5, rules 5 to 7); null if the person has nothing that counts for the run. */
function conflictOf(run: Run, person: PersonFact, similarity: number | null): Finding | null {
  const hard = hardDenials(run, { person, ...NO_OWNERS });
  const soft = findings(run, person);
  const near =
    run.config.collisionAction === 'review'
      ? approvedInPool(poolOf(run.group, run.includeGroups), person)
      : [];
  const reasons = new Set<Reason>([...hard.reasons, ...soft.reasons]);
  if (blockOf(run, person) !== null) reasons.add('blocked');
  if (near.length > 0 && reasons.size === 0) reasons.add(collisionReason(run));
  if (reasons.size === 0) return null;
  const groups = groupsOf([...hard.offending, ...soft.offending, ...near]);
  return { person, similarity, reasons: [...reasons], groups };
}
