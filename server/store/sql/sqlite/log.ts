import type Sqlite from 'better-sqlite3';
import { closeSync, fdatasync, fsyncSync, openSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const syncData = promisify(fdatasync);

/** 16 MiB of log between checkpoints: each one syncs the whole database file. */
const CHECKPOINT_PAGES = 4_096;
/** Asking for the log's length takes as long as storing five rows; a group of commits adds few pages. */
const COMMITS_PER_LOOK = 16;
/** Errors of a file system that cannot sync a folder, or of a folder that may be entered but not read. */
const UNSUPPORTED = new Set(['EINVAL', 'ENOTSUP', 'EACCES', 'EPERM']);

/**
 * The write-ahead log of one connection, made durable without blocking the event loop. SQLite itself would sync the log
 * within COMMIT (`synchronous = FULL`). Here COMMIT only writes it, and `sync` makes it durable on another thread, so
 * requests are read and answered meanwhile. No commit may be announced before its `sync` has ended. Another process can read
 * a commit before that, but what it writes afterwards is synced together with that commit.
 */
export type WriteAheadLog = {
  /** Makes every earlier commit durable. @throws the error of the disk */
  sync: () => Promise<void>;
  /**
   * Moves a long log into the database; called after each commit. It needs a moment without an open snapshot, or the log
   * would never be reused.
   */
  shorten: () => void;
  /** Empties the log. False while another connection reads a state from before. */
  truncate: () => boolean;
  close: () => void;
};

/** @param connection in WAL mode, with `synchronous = FULL` until now */
export function writeAheadLog(connection: Sqlite.Database, databasePath: string): WriteAheadLog {
  connection.pragma('synchronous = NORMAL');
  connection.pragma('wal_autocheckpoint = 0');
  syncFolder(path.dirname(databasePath));
  // Windows flushes only files that are open for writing. SQLite keeps this file until the last connection closes.
  const file = openSync(`${databasePath}-wal`, 'r+');
  const checkpoint = (mode: 'NOOP' | 'PASSIVE' | 'TRUNCATE') =>
    (connection.pragma(`wal_checkpoint(${mode})`) as { busy: number; log: number }[])[0];
  let commits = 0;
  return {
    sync: () => syncData(file),
    shorten() {
      commits += 1;
      if (commits % COMMITS_PER_LOOK !== 0) return;
      const pages = checkpoint('NOOP')?.log ?? 0;
      if (pages >= CHECKPOINT_PAGES) checkpoint('PASSIVE');
    },
    truncate: () => checkpoint('TRUNCATE')?.busy === 0,
    close: () => {
      closeSync(file);
    },
  };
}

/**
 * Makes the log's own entry in the folder durable. Windows and some network file systems cannot sync a folder, and do not
 * need to; SQLite ignores their refusal as well.
 */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  try {
    const descriptor = openSync(folder, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!UNSUPPORTED.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
