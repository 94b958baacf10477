/** People who look alike and whom a reviewer has told apart: twins, and others whom the face alone would confuse. */
import { type LookAlikeChange, type LookAlikes, MOST_LOOK_ALIKES } from '../../contract/console/people.ts';
import { canonicalEmail, canonicalPhone } from '../../domain/identity.ts';
import { displayName } from '../../domain/people/search.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import type { Scope } from '../../domain/scope.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import {
  findExternalIdOwner,
  findIdentityOwner,
  findPerson,
  findTestFace,
  type Person,
} from '../../store/people/people.ts';
import { deleteDistinctPair, insertDistinctPair } from '../../store/reviews/cases.ts';
import { listDistinctFrom } from '../../store/reviews/history.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import type { Ports } from '../ports/ports.ts';
import { notFound, Refusal } from '../../refusals/refusal.ts';
import { iso } from '../wire/values.ts';
import { shortId } from './people.ts';

type Deps = Pick<Ports, 'db' | 'clock'>;

/** Names on a case: enough to notice that the other one may be at the door. */
const NAMES = 3;

/** @throws Refusal `not_found` */
export async function readLookAlikes(
  { db }: Pick<Deps, 'db'>,
  scope: Scope,
  id: string,
): Promise<LookAlikes> {
  if (!(await findPerson(db, scope, id))) throw notFound();
  const items: LookAlikes['items'] = [];
  for (const { personId, decidedAt } of await listDistinctFrom(db, scope, id, MOST_LOOK_ALIKES)) {
    const person = await findPerson(db, scope, personId);
    if (!person) continue;
    items.push({
      person_id: personId,
      short_id: shortId(personId),
      name: nameOf(person),
      since: iso(decidedAt),
    });
  }
  return { items };
}

/** Those told apart from the person, as a case names them. */
export async function namesOfLookAlikes(db: SqlReader, scope: Scope, id: string): Promise<string[]> {
  const names: string[] = [];
  for (const { personId } of await listDistinctFrom(db, scope, id, NAMES)) {
    const person = await findPerson(db, scope, personId);
    if (person) names.push(nameOf(person) ?? shortId(personId));
  }
  return names;
}

/** Whatever names a person best. */
export const nameOf = ({ metadata, externalIds, identities }: Person): string | null =>
  displayName(metadata) ?? externalIds[0] ?? identities[0]?.given ?? identities[0]?.identifier ?? null;

/** By complete ID, account, credential or test face. An account of one person may read like the address of another. */
async function peopleNamed(db: SqlReader, scope: Scope, text: string): Promise<string[]> {
  const found = [
    (await findPerson(db, scope, text.toLowerCase()))?.id,
    (await findExternalIdOwner(db, scope, text))?.personId,
    await findTestFace(db, scope, text),
  ];
  for (const identity of [canonicalEmail(text), canonicalPhone(text)]) {
    if (identity) found.push(await findIdentityOwner(db, scope, identity));
  }
  return [...new Set(found)].filter((id) => id !== undefined);
}

/** @throws Refusal `not_found`, `person_unknown`, `person_ambiguous`, `same_person` */
export async function changeLookAlike(
  { db, clock }: Deps,
  scope: Scope,
  id: string,
  { other, told_apart: isApart, reason, actor }: LookAlikeChange & { actor: Actor },
): Promise<LookAlikes> {
  await db.tx(async (tx) => {
    const at = clock.now();
    if (!(await findPerson(tx, scope, id))) throw notFound();
    const [otherId, ...more] = await peopleNamed(tx, scope, other.trim());
    if (otherId === undefined) throw new Refusal('person_unknown');
    if (more.length > 0) throw new Refusal('person_ambiguous');
    if (otherId === id) throw new Refusal('same_person');
    const pair = [id, otherId] as const;
    if (isApart) await insertDistinctPair(tx, scope, pair, at);
    else if ((await deleteDistinctPair(tx, scope, pair)) === 0) return;
    await appendAudit(tx, {
      ...scope,
      at,
      actor,
      action: isApart ? 'person.told_apart' : 'person.told_apart_undone',
      subject: id,
      details: { other_id: otherId, reason },
    });
  }, scope);
  return readLookAlikes({ db }, scope, id);
}
