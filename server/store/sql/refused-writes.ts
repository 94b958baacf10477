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

/**
 * Adds `refusesWrites` to a driver. Only a write that changed a row ends the state, because one that changes none
 * needs no space.
 */
export function watchWrites(db: Driver, onRefusedWrites: OnRefusedWrites = () => undefined): Database {
  let isRefusing = false;
  const set = (refusing: boolean, failure: StoreError | null) => {
    if (isRefusing === refusing) return;
    isRefusing = refusing;
    onRefusedWrites(failure);
  };
  const watched = async <T>(write: Promise<T>): Promise<T> => {
    try {
      return await write;
    } catch (error) {
      if (isRefusal(error)) set(true, error);
      throw error;
    }
  };

  async function txWhileRefusing<T>(...[work, lock]: Parameters<typeof db.tx<T>>): Promise<T> {
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
    const value = await db.tx(counted, lock);
    if (changed > 0) set(false, null);
    return value;
  }

  return {
    ...db,
    refusesWrites: () => isRefusing,
    tx: (work, lock) => watched(isRefusing ? txWhileRefusing(work, lock) : db.tx(work, lock)),
    async write(...statement) {
      const rows = await watched(db.write(...statement));
      if (rows > 0) set(false, null);
      return rows;
    },
  };
}
