import { type Database, type SqlTx, StoreError } from './port.ts';

/** The port without the state that `watchWrites` adds. */
export type Driver = Omit<Database, 'refusesWrites'>;

/** Called with the failure when writes begin to be refused, and with null when one succeeds again. */
export type OnRefusedWrites = (failure: StoreError | null) => void;

const READ_ONLY_SERVER = '25006';

function isRefusal(error: unknown): error is StoreError {
  if (!(error instanceof StoreError)) return false;
  if (error.code === 'database_full' || error.code === 'database_not_writable') return true;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && cause.code === READ_ONLY_SERVER;
}

/** Refused again this soon after one succeeded: the disk is nearly full, and only small writes find space. */
const RELAPSE_MS = 60_000;
/** After a relapse, no write may have been refused for this long, after each further one for twice as long. */
const QUIET_MS = 30_000;
const LONGEST_QUIET_MS = 8 * 60_000;

/**
 * Adds `refusesWrites` to a driver. Only a write that changed a row ends the state, because one that changes none
 * needs no space. On a nearly full disk it doesn't come and go with each write.
 * @param steadyNowMs monotonic time
 */
export function watchWrites(
  db: Driver,
  onRefusedWrites: OnRefusedWrites = () => undefined,
  steadyNowMs: () => number = () => performance.now(),
): Database {
  let isRefusing = false;
  let refusedAt = 0;
  let acceptedAt = -Infinity;
  let quietMs = 0;
  const refused = (failure: StoreError) => {
    refusedAt = steadyNowMs();
    if (isRefusing) return;
    const isRelapse = refusedAt - acceptedAt < RELAPSE_MS + quietMs;
    quietMs = isRelapse ? Math.min(quietMs * 2 || QUIET_MS, LONGEST_QUIET_MS) : 0;
    isRefusing = true;
    onRefusedWrites(failure);
  };
  const accepted = () => {
    if (!isRefusing || steadyNowMs() - refusedAt < quietMs) return;
    acceptedAt = steadyNowMs();
    isRefusing = false;
    onRefusedWrites(null);
  };
  const watched = async <T>(write: Promise<T>): Promise<T> => {
    try {
      return await write;
    } catch (error) {
      if (isRefusal(error)) refused(error);
      throw error;
    }
  };

  async function txWhileRefusing<T>(...[work, ...how]: Parameters<typeof db.tx<T>>): Promise<T> {
    let changed = 0;
    const counted = (tx: SqlTx) => {
      changed = 0;
      const run: SqlTx['run'] = async (...statement) => {
        const rows = await tx.run(...statement);
        changed += rows;
        return rows;
      };
      return work({ ...tx, run });
    };
    const value = await db.tx(counted, ...how);
    if (changed > 0) accepted();
    return value;
  }

  return {
    ...db,
    refusesWrites: () => isRefusing,
    tx: (...work) => watched(isRefusing ? txWhileRefusing(...work) : db.tx(...work)),
    async write(...statement) {
      const rows = await watched(db.write(...statement));
      if (rows > 0) accepted();
      return rows;
    },
  };
}
