import type Sqlite from 'better-sqlite3';
import { type FSWatcher, watch } from 'node:fs';

/** Several writes are looked at once. */
const GATHER_MS = 100;

/**
 * Notices what another process commits, such as a command line beside the server, by its write to the log. A hint, as on
 * PostgreSQL: some file systems report no writes, and the slow look finds them then.
 * @param connection whose own commits do not count: the one that writes
 */
export function watchOthers(
  connection: Sqlite.Database,
  databasePath: string,
  onCommit: () => void,
): { close: () => void } {
  const version = () => connection.pragma('data_version', { simple: true });
  let seen = version();
  let soon: NodeJS.Timeout | undefined;
  let watcher: FSWatcher | undefined;
  const look = () => {
    soon = undefined;
    const now = version();
    if (now === seen) return;
    seen = now;
    onCommit();
  };
  const close = () => {
    clearTimeout(soon);
    watcher?.close();
  };
  try {
    watcher = watch(`${databasePath}-wal`, { persistent: false }, () => {
      soon ??= setTimeout(look, GATHER_MS).unref();
    });
    watcher.on('error', close);
  } catch {
    // No more watches, or a file system without them.
  }
  return { close };
}
