/** Names of the backups that are made without anybody asking. */

export const EXTENSION = '.gatehouse-backup';

/** `2030-05-15T030000Z`: sorts by time, and every file system takes it. */
const stamp = (nowMs: number): string =>
  new Date(nowMs)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '');

export const nightlyBackupName = (nowMs: number): string => `nightly-${stamp(nowMs)}${EXTENSION}`;

/** One that an admin asked for; it stays until somebody removes it. */
export const manualBackupName = (nowMs: number): string => `by-hand-${stamp(nowMs)}${EXTENSION}`;

export const migrationBackupName = (schemaVersion: number, nowMs: number): string =>
  `before-upgrade-of-schema-${schemaVersion}-${stamp(nowMs)}${EXTENSION}`;

const NIGHTLY = /^nightly-\d{4}-\d{2}-\d{2}T\d{6}Z\.gatehouse-backup$/;

/** Which of a folder's nightly backups are too many, oldest first. Other files are nobody's business. */
export function nightlyBackupsToRemove(names: readonly string[], keep: number): string[] {
  const nightly = names.filter((name) => NIGHTLY.test(name)).sort();
  return nightly.slice(0, Math.max(0, nightly.length - keep));
}
