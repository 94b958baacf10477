/** File permissions: only the owner can access Gatehouse’s files, regardless of the umask and of who copied them. */
import { chmodSync, closeSync, fchmodSync, lstatSync, openSync } from 'node:fs';

const OWNER_FILE = 0o600;
const OTHERS = 0o077;
/** Windows has no such permissions; the user's profile protects the folder. */
const hasModes = process.platform !== 'win32';

/**
 * Creates an empty file with mode 0600 if there is none. SQLite gives its log and journal the permissions of the
 * database, which would otherwise follow the umask. Ignores errors, which the caller gets when opening the file.
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

/** Removes the permissions of group and others from an existing file or folder. Does not change links. */
export function keepFromOthers(entry: string): void {
  if (!hasModes) return;
  try {
    const stats = lstatSync(entry);
    if (!stats.isSymbolicLink() && (stats.mode & OTHERS) !== 0) chmodSync(entry, stats.mode & 0o700);
  } catch {
    // Deleted meanwhile, another user's, or on a file system without permissions: no reason to fail a start.
  }
}
