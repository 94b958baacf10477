/**
 * Locks of a data folder. Everything that opens the database shares one lock, and replacing files requires it
 * exclusively. Servers share a second one, and one of them holds a third. All are SQLite locks on empty files, which the
 * system releases when a process dies.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type Sqlite from 'better-sqlite3';
import { ConfigError } from './errors.ts';
import type { NodeRegistration } from '../store/sql/postgres/node.ts';
import { BACKUP_LOCK_FILE } from '../services/backup/drafts.ts';
import { isBusyError } from '../store/sql/sqlite/errors.ts';
import { connectLock, hold, takes } from '../store/sql/sqlite/file-lock.ts';

const FILE = 'gatehouse.lock';
const SERVING_FILE = 'gatehouse.lock-serving';
const NIGHT_FILE = 'gatehouse.lock-night';
export const LOCK_FILES: readonly string[] = [FILE, SERVING_FILE, NIGHT_FILE, BACKUP_LOCK_FILE];
/** Replacing files takes at most this long; a process that starts meanwhile waits. */
const PATIENCE_MS = 2_000;

/** A server that starts waits this long for another one's clean-up at its start. */
const START_PATIENCE_MS = 60_000;
const START_POLL_MS = 50;

type DataLock = { release(): void };

/** @throws ConfigError while another process replaces the data */
export function shareDataDir(dataDir: string): DataLock {
  return take(
    dataDir,
    'BEGIN',
    `The data in ${dataDir} is being restored or moved by another process. Try again when it is done.`,
  );
}

/** @throws ConfigError while a server or a command is using the data */
export function ownDataDir(dataDir: string): DataLock {
  return take(
    dataDir,
    'BEGIN EXCLUSIVE',
    `Gatehouse is running on ${dataDir}. Stop it (or quit the app), then try again.`,
  );
}

/**
 * Registers this process as a server of the folder. If no other server is running, `alone` runs first, and none begins
 * to serve before it has ended. Each of them runs the frequent jobs, which are safe if run twice.
 * @returns the lock to hold while serving
 * @throws ConfigError while another process has been running its `alone` for too long
 */
export async function shareServing(
  dataDir: string,
  alone: () => Promise<unknown>,
  patienceMs = START_PATIENCE_MS,
): Promise<NodeRegistration> {
  const connection = connect(dataDir, SERVING_FILE);
  try {
    let hasRun = false;
    const until = performance.now() + patienceMs;
    for (;;) {
      // Asked again while waiting: the other server may have failed.
      if (!hasRun && takes(connection, 'BEGIN EXCLUSIVE')) {
        await alone();
        hasRun = true;
        connection.exec('COMMIT');
      }
      if (takes(connection, 'BEGIN')) break;
      if (performance.now() >= until) {
        throw new ConfigError(
          `Another Gatehouse server is still starting on ${dataDir}. Try again when it is ready, or stop it.`,
        );
      }
      await sleep(START_POLL_MS);
    }
    return {
      isLeader: () => true,
      resign: async () => undefined,
      release: async () => void connection.close(),
    };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Of several servers of the folder, one does the work of the night: a second backup would take the place of an older
 * one. When its process ends, the next server that asks takes over.
 */
export function leadNights(dataDir: string): DataLock & { isLeader: () => boolean } {
  const connection = connect(dataDir, NIGHT_FILE);
  let leads = false;
  return {
    isLeader: () => (leads ||= takes(connection, 'BEGIN EXCLUSIVE')),
    release: () => connection.close(),
  };
}

/** Whether a server of the folder is running, of whatever version. */
export function isServed(dataDir: string): boolean {
  const connection = connect(dataDir, SERVING_FILE);
  try {
    return !takes(connection, 'BEGIN EXCLUSIVE');
  } finally {
    connection.close();
  }
}

function take(dataDir: string, begin: 'BEGIN' | 'BEGIN EXCLUSIVE', refusal: string): DataLock {
  const connection = connect(dataDir, FILE);
  try {
    hold(connection, begin);
    return { release: () => connection.close() };
  } catch (error) {
    connection.close();
    throw isBusyError(error) ? new ConfigError(refusal) : error;
  }
}

const connect = (dataDir: string, name: string): Sqlite.Database =>
  connectLock(path.join(dataDir, name), PATIENCE_MS);
