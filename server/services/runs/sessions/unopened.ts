/** Nobody may fill the disk without a key (decisions §6): sessions that nobody opens are few, and end early. */
import { insertSession, type Session } from '../../../store/runs/sessions.ts';
import { deleteOldestUnopened, recordOpened } from '../../../store/runs/unopened-sessions.ts';
import type { SqlTx } from '../../../store/sql/port.ts';
import { SESSION_LIFETIME_MS } from './sessions.ts';

/** Maximum of unopened ones in one company and partition. */
export const MAX_UNOPENED = 5_000;
/** One is removed for each new one; a few more if the limit was lowered. */
const GIVEN_UP_AT_ONCE = 100;

/** Inserts a session. If it is unopened, the oldest unopened ones beyond 5,000 are removed. */
export async function insertBounded(tx: SqlTx, session: Session): Promise<void> {
  await insertSession(tx, session);
  if (session.unopenedSince === null) return;
  await deleteOldestUnopened(tx, session.scope, { most: MAX_UNOPENED, limit: GIVEN_UP_AT_ONCE });
}

/** Someone has opened the session, or has given consent in one that a link opened: it lives a day. */
export async function keepOpened(tx: SqlTx, { scope, id, unopenedSince }: Session): Promise<void> {
  if (unopenedSince !== null) await recordOpened(tx, scope, id, SESSION_LIFETIME_MS);
}
