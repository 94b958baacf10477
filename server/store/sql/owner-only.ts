/**
 * File permissions: Gatehouse’s files belong to their owner alone, regardless of the umask and of who copied the
 * files.
 */
import { chmodSync, closeSync, fchmodSync, lstatSync, openSync } from 'node:fs';

const OWNER_FILE = 0o600;
const OTHERS = 0o077;
/** Windows has no such rights: there the user's profile protects the folder. */
const hasModes = process.platform !== 'win32';

/**
 * Creates an empty file with mode 0600 if there is none. SQLite gives its log and journal the permissions of the
 * database, which would otherwise follow the umask. An obstacle is left for the caller, who meets it when opening the
 * file.
 */
export function createForOwner(file: string): void {
  if (!hasModes) return;
  try {
    const fd = openSync(file, 'ax', OWNER_FILE);
    try {
      fchmodSync(fd, OWNER_FILE);
    } finally {
      closeSync(fd);
    }
  } catch {
    keepFromOthers(file);
  }
}

/** Takes the rights of group and others away from a file or folder that is there. Links are left alone. */
export function keepFromOthers(entry: string): void {
  if (!hasModes) return;
  try {
    const stats = lstatSync(entry);
    if (!stats.isSymbolicLink() && (stats.mode & OTHERS) !== 0) chmodSync(entry, stats.mode & 0o700);
  } catch {
    // Gone meanwhile, another user's, or on a file system without rights: nothing that a start should fail for.
  }
}
