/** Files that a power failure leaves whole: the old one or the new one, under its name. */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Errors of a file system that cannot sync a folder, or of a folder that may be entered but not read. */
const UNSUPPORTED = new Set(['EINVAL', 'ENOTSUP', 'EACCES', 'EPERM']);

/** Writes a file that only its owner may read, by way of `<file>.draft`. A failure leaves what was there before. */
export async function writeDurably(file: string, content: string | Uint8Array): Promise<void> {
  const draft = `${file}.draft`;
  await writeFile(draft, content, { mode: 0o600, flush: true });
  await rename(draft, file);
  syncFolder(path.dirname(file));
}

/**
 * Makes the names in a folder durable. Windows and some network file systems cannot sync a folder, and do not need to;
 * SQLite ignores their refusal as well.
 */
export function syncFolder(folder: string): void {
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
