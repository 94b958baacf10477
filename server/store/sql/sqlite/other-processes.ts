import type Sqlite from 'better-sqlite3';
import { type FSWatcher, watch } from 'node:fs';
import { SLOW_LOOK_MS } from '../followers.ts';

/** Several writes are looked at once. */
const GATHER_MS = 100;

/**
 * Notices what another process commits, such as a command line beside the server, by its write to the log; on file systems
 * that report no writes, at the slow look.
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
    // The slow look may come first; a timer that is forgotten would outlive the connection.
    clearTimeout(soon);
    soon = undefined;
    const now = version();
    if (now === seen) return;
    seen = now;
    onCommit();
  };
  const slow = setInterval(look, SLOW_LOOK_MS).unref();
  const close = () => {
    clearTimeout(soon);
    clearInterval(slow);
    watcher?.close();
  };
  try {
    watcher = watch(`${databasePath}-wal`, { persistent: false }, () => {
      soon ??= setTimeout(look, GATHER_MS).unref();
    });
    watcher.on('error', () => watcher?.close());
  } catch {
    // No more watches, or a file system without them.
  }
  return { close };
}
