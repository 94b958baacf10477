/** A running service notices what became of an update, and one that waits for its restart. */
import type { ServerConfig } from '../config.ts';
import { systemClock } from '../services/ports/clock.ts';
import { readJournal, updateHome } from '../services/updates/home.ts';
import { recordUpdate } from '../services/updates/record.ts';
import type { Database } from '../store/sql/port.ts';

/** Open pages ask every half second: they see that an update is ready before the service ends. */
const SHOWN_MS = 1_500;

/**
 * Records the outcome of the last update. Where the service is started again when it ends, calls back once an update is ready.
 * @returns ends this
 */
export async function followUpdates(
  { isSupervised, isTrial }: Pick<ServerConfig, 'isSupervised' | 'isTrial'>,
  db: Database,
  ready: () => void,
): Promise<() => void> {
  const home = updateHome();
  // The trial of a new version is not yet its installation.
  if (home === null || isTrial) return () => undefined;
  await recordUpdate({ db, clock: systemClock }, home);
  if (!isSupervised) return () => undefined;
  return db.follow('health', () => {
    void readJournal(home).then((journal) => {
      if (journal?.phase === 'wanted') setTimeout(ready, SHOWN_MS).unref();
    });
  });
}
