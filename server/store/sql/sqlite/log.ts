import type Sqlite from 'better-sqlite3';
import { closeSync, fdatasync, openSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { syncFolder } from '../durable-file.ts';
import { NO_MARK, openMark, saltsOf } from './durable-mark.ts';

const syncData = promisify(fdatasync);

/** 16 MiB of log between checkpoints: each one syncs the whole database file. */
const CHECKPOINT_PAGES = 4_096;
/** Asking for the log's length takes as long as storing five rows; a group of commits adds few pages. */
const COMMITS_PER_LOOK = 16;
/** The most time of commits that a damaged log can hide. Four looks a second cost nothing that can be measured. */
const MARK_EVERY_MS = 250;

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

/** Frames that SQLite reads from the log. */
export function framesOf(connection: Sqlite.Database): number {
  const [row] = connection.pragma('wal_checkpoint(NOOP)') as { log: number }[];
  return Math.max(0, row?.log ?? 0);
}

/** @param connection in WAL mode, with `synchronous = FULL` until now */
export function writeAheadLog(connection: Sqlite.Database, databasePath: string): WriteAheadLog {
  connection.pragma('synchronous = NORMAL');
  connection.pragma('wal_autocheckpoint = 0');
  // The log's own name.
  syncFolder(path.dirname(databasePath));
  // Windows flushes only files that are open for writing. SQLite keeps this file until the last connection closes.
  const file = openSync(`${databasePath}-wal`, 'r+');
  const checkpoint = (mode: 'PASSIVE' | 'TRUNCATE') =>
    (connection.pragma(`wal_checkpoint(${mode})`) as { busy: number; log: number }[])[0];
  const mark = openMark(databasePath);
  let commits = 0;
  let isSyncing = false;
  let hasFailed = false;
  let markSoon: NodeJS.Timeout | undefined;

  /** COMMIT and `sync` follow each other without a pause, so everything in the log is durable unless one is running. */
  function markDurable(): void {
    markSoon = undefined;
    if (hasFailed) return;
    if (isSyncing || connection.inTransaction) markLater();
    else writeMark(framesOf(connection));
  }
  function markLater(): void {
    markSoon ??= setTimeout(markDurable, MARK_EVERY_MS).unref();
  }
  /** Before the log is shortened or removed, because a mark that is too low is true as well. */
  const unmark = () => writeMark(0);
  function writeMark(durable: number): void {
    try {
      const salts = saltsOf(file);
      mark.write(salts === null ? NO_MARK : { salts, frames: durable });
    } catch {
      // A full disk, or one that another process reads just now: the mark stays older.
    }
  }

  return {
    async sync() {
      isSyncing = true;
      try {
        await syncData(file);
      } catch (error) {
        hasFailed = true;
        throw error;
      } finally {
        isSyncing = false;
      }
      markLater();
    },
    shorten() {
      commits += 1;
      if (commits % COMMITS_PER_LOOK !== 0) return;
      if (framesOf(connection) < CHECKPOINT_PAGES) return;
      unmark();
      checkpoint('PASSIVE');
    },
    truncate() {
      unmark();
      return checkpoint('TRUNCATE')?.busy === 0;
    },
    close() {
      clearTimeout(markSoon);
      if (!hasFailed) unmark();
      mark.close();
      closeSync(file);
    },
  };
}
