/** Erases people again, and the faces of events, that were erased after the backup was made (product, "Privacy"). */
import type { Scope } from '../../../domain/scope.ts';
import { listErasedPeople } from '../../../store/operators/audit-query.ts';
import { findPerson } from '../../../store/people/people.ts';
import type { Database, SqlReader } from '../../../store/sql/port.ts';
import { readSetting, writeSetting } from '../../../store/settings.ts';
import { findFacesLeft, listAllFacesEnds } from '../../../store/venue/event-faces.ts';
import type { Clock } from '../../ports/clock.ts';
import { eraseWithProof } from '../../people/erasure-proof.ts';
import { endFaces } from '../../people/faces-end.ts';

export type Erasure = { scope: Scope; personId: string } | EndedFaces;
/** The faces of an event have ended. */
type EndedFaces = { scope: Scope; eventId: string };

/** People of whom a restore lost the audit entry: an older or newer backup that is restored next may have them. */
const LOST = 'backup.erased';

/**
 * Everyone known to have been erased. Of all times, because the clock may have been set between a backup and an erasure; an
 * ID is never used twice.
 */
export async function knownErasures(db: SqlReader): Promise<Erasure[]> {
  const logged = (await listErasedPeople(db)).map(({ companyId, partition, personId }) => ({
    scope: { companyId, partition },
    personId,
  }));
  const ended = (await listAllFacesEnds(db)).map(({ companyId, partition, eventId }) => ({
    scope: { companyId, partition },
    eventId,
  }));
  return [...logged, ...ended, ...((await readSetting<Erasure[]>(db, LOST)) ?? [])];
}

const idOf = (erasure: Erasure): string => ('eventId' in erasure ? erasure.eventId : erasure.personId);

/** @returns how many people of them the backup had brought back; they are erased again */
export async function repeatErasures(
  db: Database,
  clock: Clock,
  erasures: readonly Erasure[],
): Promise<number> {
  const known = new Set((await knownErasures(db)).map(idOf));
  const lost: Erasure[] = [];
  let repeated = 0;
  for (const erasure of erasures) {
    const { scope } = erasure;
    if ('eventId' in erasure) {
      const event = await findFacesLeft(db, scope, erasure.eventId);
      if (!event && !known.has(erasure.eventId)) lost.push(erasure);
      if (event && (event.faces > 0 || !known.has(event.id))) await endFaces(db, clock, [event]);
      continue;
    }
    const { personId } = erasure;
    if (known.has(personId)) continue;
    const done = await db.tx(async (tx) => {
      const person = await findPerson(tx, scope, personId);
      if (!person) return false;
      await eraseWithProof(tx, scope, person, {
        at: clock.now(),
        actor: 'system',
        reason: 'erased after the backup was made',
      });
      return true;
    });
    if (done) repeated += 1;
    else lost.push(erasure);
  }
  if (lost.length > 0)
    await db.tx(async (tx) =>
      writeSetting(tx, LOST, [...((await readSetting<Erasure[]>(tx, LOST)) ?? []), ...lost]),
    );
  if (repeated > 0) await db.truncateLog();
  return repeated;
}
