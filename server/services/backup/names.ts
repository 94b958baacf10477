/** Names of automatic backups. */
import type { DeletionTime } from '../../domain/clock.ts';

export const EXTENSION = '.gatehouse-backup';

/** `2030-05-15T030000Z`: sorts by time, and is valid on every file system. */
const stamp = (nowMs: number): string =>
  new Date(nowMs)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '');

export const nightlyBackupName = (nowMs: number): string => `nightly-${stamp(nowMs)}${EXTENSION}`;

/** Made by an admin; kept until someone deletes it. */
export const manualBackupName = (nowMs: number): string => `by-hand-${stamp(nowMs)}${EXTENSION}`;

export const migrationBackupName = (schemaVersion: number, nowMs: number): string =>
  `before-upgrade-of-schema-${schemaVersion}-${stamp(nowMs)}${EXTENSION}`;

/** Made before a clean-up that an admin confirmed. */
export const cleanUpBackupName = (nowMs: number): string => `before-clean-up-${stamp(nowMs)}${EXTENSION}`;

const NIGHTLY = /^nightly-\d{4}-\d{2}-\d{2}T\d{6}Z\.gatehouse-backup$/;

const BEFORE = /^before-(?:clean-up|upgrade-of-schema-\d+)-\d{4}-\d{2}-\d{2}T\d{6}Z\.gatehouse-backup$/;
/** Long enough to notice that a clean-up or an upgrade went wrong. The backup contains faces that should be gone. */
const BEFORE_KEPT_MS = 30 * 86_400_000;

const STAMP = /-(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2})Z\.gatehouse-backup$/;

/** When a backup with a name of ours was made, in epoch milliseconds; null for any other name. */
export function madeAtOf(name: string): number | null {
  const [, day, hour, minute, second] = STAMP.exec(name) ?? [];
  return day === undefined ? null : Date.parse(`${day}T${hour ?? ''}:${minute ?? ''}:${second ?? ''}Z`);
}

/** Whether a backup of this name is deleted in time. */
export const isAutomaticName = (name: string): boolean => NIGHTLY.test(name) || BEFORE.test(name);

const DRAFT = /\.gatehouse-backup\.\d+-[0-9a-f]{8}\.(?:snapshot|partial|check)(?:-journal|-wal|-shm)?$/;

/** Whether a killed process of an earlier version left this file. No key opens it. */
export const isOldDraft = (name: string): boolean => DRAFT.test(name);

/**
 * Which backups of a folder to delete: nightly ones beyond `keep`, oldest first, and those made before a clean-up
 * or an upgrade more than 30 days ago. Other files are ignored. A nightly backup dated later than `time` was made before the clock
 * was corrected, so it counts as the oldest.
 */
export function backupsToRemove(names: readonly string[], keep: number, time: DeletionTime): string[] {
  const newest = nightlyBackupName(time);
  const nightly = names.filter((name) => NIGHTLY.test(name)).sort();
  const inOrder = [...nightly.filter((name) => name > newest), ...nightly.filter((name) => name <= newest)];
  const old = names.filter((name) => {
    const madeAt = BEFORE.test(name) ? madeAtOf(name) : null;
    return madeAt !== null && time - madeAt > BEFORE_KEPT_MS;
  });
  return [...inOrder.slice(0, Math.max(0, inOrder.length - keep)), ...old];
}
