/** Operators' own settings: passphrase, PIN, sessions, saved filters. */
import {
  MAX_PASSPHRASE_CHARS,
  MIN_PASSPHRASE_CHARS,
  type OperatorSessions,
  type PassphraseChange,
  type PinChange,
  type SavedFilterRequest,
  type SavedFilters,
} from '../../contract/console/access.ts';
import { passphraseProblem } from '../../domain/operators/passphrase.ts';
import { endOperatorSession, endSessionsOf, listOpenSessions } from '../../store/operators/sessions.ts';
import { setPassphraseHash, setPinHash } from '../../store/operators/operators.ts';
import { deleteSavedFilter, listSavedFilters, saveFilter } from '../../store/operators/saved-filters.ts';
import type { Ports } from '../ports/ports.ts';
import type { RefusalLog } from '../keys/refusals.ts';
import { newId } from '../ports/ids.ts';
import { iso } from '../wire/values.ts';
import { confirmPassphrase, leakedPasswords } from './passphrases.ts';
import { Refusal, notFound } from '../../refusals/refusal.ts';
import { hashSecret } from './hashing.ts';
import { auditOwnAct, IDLE_TIMEOUT_MS, type SignedIn } from './operator-session.ts';

type Deps = Pick<Ports, 'db' | 'clock'> & { refusals: RefusalLog };

/** @throws Refusal `wrong_passphrase`, `weak_passphrase`, `locked_out` */
export async function changePassphrase(
  deps: Deps,
  signedIn: SignedIn,
  { current, next }: PassphraseChange,
): Promise<void> {
  await confirmPassphrase(deps, signedIn, current);
  await refuseWeak(next, signedIn.operator.name);
  const hash = await hashSecret(next);
  await deps.db.tx(async (tx) => {
    const now = deps.clock.now();
    await setPassphraseHash(tx, signedIn.operator.id, hash, now);
    await endSessionsOf(tx, signedIn.operator.id, signedIn.sessionId, now, 'passphrase changed');
    await auditOwnAct(tx, signedIn, now, 'operator.passphrase');
  });
}

/** @throws Refusal `wrong_passphrase`, `locked_out` */
export async function changePin(
  deps: Deps,
  signedIn: SignedIn,
  { passphrase, pin }: PinChange,
): Promise<void> {
  await confirmPassphrase(deps, signedIn, passphrase);
  const hash = await hashSecret(pin);
  await deps.db.tx(async (tx) => {
    await setPinHash(tx, signedIn.operator.id, hash);
    await auditOwnAct(tx, signedIn, deps.clock.now(), 'operator.pin_set');
  });
}

export async function removePin(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  signedIn: SignedIn,
): Promise<void> {
  await db.tx(async (tx) => {
    await setPinHash(tx, signedIn.operator.id, null);
    await auditOwnAct(tx, signedIn, clock.now(), 'operator.pin_removed');
  });
}

/** @throws Refusal `weak_passphrase` */
export async function refuseWeak(passphrase: string, operatorName: string): Promise<void> {
  const problem = passphraseProblem(passphrase, operatorName, await leakedPasswords());
  if (problem === null) return;
  const args = { problem, min: MIN_PASSPHRASE_CHARS, max: MAX_PASSPHRASE_CHARS };
  throw new Refusal('weak_passphrase', { args });
}

export async function listMySessions(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  signedIn: SignedIn,
): Promise<OperatorSessions> {
  const now = clock.now();
  const sessions = await listOpenSessions(db, signedIn.operator.id, {
    now,
    idleSince: now - IDLE_TIMEOUT_MS,
  });
  return {
    items: sessions.map((session) => ({
      session_id: session.id,
      current: session.id === signedIn.sessionId,
      address: session.address,
      device: session.device,
      created_at: iso(session.createdAt),
      last_seen_at: iso(session.lastSeenAt),
      ends_at: iso(session.endsAt),
    })),
  };
}

/** @throws Refusal `not_found` */
export async function endMySession(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  signedIn: SignedIn,
  sessionId: string,
): Promise<void> {
  await db.tx(async (tx) => {
    const now = clock.now();
    const ended = await endOperatorSession(tx, signedIn.operator.id, sessionId, now, 'ended by its operator');
    if (ended === 0) throw notFound();
    await auditOwnAct(tx, signedIn, now, 'operator.session_ended', { session_id: sessionId });
  });
}

export async function listMyFilters(
  { db }: Pick<Deps, 'db' | 'clock'>,
  { operator }: SignedIn,
): Promise<SavedFilters> {
  const filters = await listSavedFilters(db, operator.id);
  return { items: filters.map(({ id, ...filter }) => ({ filter_id: id, ...filter })) };
}

/** Saves a filter under a name, replacing one of the same name on the same page. */
export async function saveMyFilter(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  signedIn: SignedIn,
  filter: SavedFilterRequest,
): Promise<{ filter_id: string } & SavedFilterRequest> {
  return db.tx(async (tx) => {
    const now = clock.now();
    const { page, name, query } = filter;
    const id = await saveFilter(tx, signedIn.operator.id, { id: newId(now), page, name, query }, now);
    // Without its name, which may be a person's: people can be erased from everything except this log.
    await auditOwnAct(tx, signedIn, now, 'filter.save', { page, filter_id: id });
    return { filter_id: id, page, name, query };
  });
}

/** @throws Refusal `not_found` */
export async function deleteMyFilter(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  signedIn: SignedIn,
  filterId: string,
): Promise<void> {
  await db.tx(async (tx) => {
    if ((await deleteSavedFilter(tx, signedIn.operator.id, filterId)) === 0) throw notFound();
    await auditOwnAct(tx, signedIn, clock.now(), 'filter.delete', { filter_id: filterId });
  });
}
