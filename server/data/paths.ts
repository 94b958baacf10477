import path from 'node:path';

/** Paths in a data folder. */
export function dataPaths(dataDir: string) {
  return {
    database: path.join(dataDir, 'gatehouse.db'),
    key: path.join(dataDir, 'gatehouse.key'),
    /** Automatic backups, unless the settings name another folder. */
    backups: path.join(dataDir, 'backups'),
    /** Captures recorded with `gatehouse record`. */
    recordings: path.join(dataDir, 'recordings'),
    /** A verified restored database that waits to be put in place. */
    restored: path.join(dataDir, 'restored.db'),
    /** Marks a verified restore, which the next process that opens the folder finishes. */
    restoreMark: path.join(dataDir, 'restored.json'),
    /** Contains the new path after the data has been moved. */
    moved: path.join(dataDir, 'moved.json'),
  };
}

/** Folders in a data folder that contain only Gatehouse’s files. */
const OWN_FOLDERS = /^(?:backups|logs|recordings|before-restore-.+)$/;
/**
 * Gatehouse's files there, with their logs, drafts and locked forms. The desktop app keeps its browser profile in
 * `desktop`.
 */
const OWN_ENTRIES = /^(?:gatehouse\.(?:db|key|lock)|restored\.(?:db|json)|moved\.json)|^desktop$/;

export const isOwnFolder = (name: string): boolean => OWN_FOLDERS.test(name);
export const isOwnEntry = (name: string): boolean => OWN_FOLDERS.test(name) || OWN_ENTRIES.test(name);

/** A database and its SQLite files. */
export const databaseFiles = (database: string): string[] =>
  ['', '-wal', '-shm', '-journal'].map((suffix) => database + suffix);
