/** A disk of a size in a folder of its own, for tests of full and read-only disks. Needs Linux and root. */
import { spawnSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { tempDir } from './temp-store.ts';

export const canMount = process.platform === 'linux' && process.geteuid?.() === 0;

/** Null if the system does not allow it, as in most containers. @param options of `mount -o` */
export function mountedDisk(options: string, folder = tempDir()): string | null {
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status !== 0) return null;
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  return folder;
}

/** The same folder in a second place. False where the system does not allow it. */
export function mountedFolder(source: string, folder: string): boolean {
  if (spawnSync('mount', ['--bind', source, folder]).status !== 0) return false;
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  return true;
}
