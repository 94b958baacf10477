/**
 * Prevents two processes from downloading the same file at once. Only an optimisation: files are checked and renamed
 * into place, so parallel downloads do no harm.
 */
import { mkdir, open, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const HEARTBEAT_MS = 1_000;
/** A lock that was not touched for this long belongs to a process that has ended. */
const STALE_AFTER_MS = 10_000;
const POLL_MS = 200;

/** Runs `work` while holding the lock file; `onWait` is called once if another process holds it. */
export async function withLock<T>(path: string, onWait: () => void, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  let hasReported = false;
  while (!(await take(path))) {
    if (await isStale(path)) {
      await rm(path, { force: true });
      continue;
    }
    if (!hasReported) onWait();
    hasReported = true;
    await delay(POLL_MS);
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, HEARTBEAT_MS);
  heartbeat.unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await rm(path, { force: true });
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(path)).mtimeMs > STALE_AFTER_MS;
  } catch {
    return false;
  }
}
