/**
 * The log in files: the newest is `gatehouse.log`, older ones have a number, and the oldest is deleted. It never throws:
 * on a full disk, without its folder or while another program holds its file, lines are lost, and the log says how many
 * once it can be written again.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';

type RotatingLog = { write(line: string): void; close(): void };

type LogOptions = {
  folder: string;
  maxBytes?: number;
  /** Number of older files that are kept. */
  older?: number;
  /** For tests. */
  now?: () => number;
};

const MAX_BYTES = 5 * 1024 * 1024;
const OLDER = 4;
/** How often a log that cannot be written tries again, and one that can looks whether its file is still there. */
const LOOK_EVERY_MS = 5_000;

/** Each line is in the file when `write` returns, because the last ones before a crash matter most. */
export function openRotatingLog({
  folder,
  maxBytes = MAX_BYTES,
  older = OLDER,
  now = Date.now,
}: LogOptions): RotatingLog {
  const file = (n: number) => path.join(folder, n === 0 ? 'gatehouse.log' : `gatehouse.${n}.log`);
  let fd: number | null = null;
  let bytes = 0;
  let lost = 0;
  let lookedAt = -Infinity;
  let isClosed = false;

  function open(): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    fd = openSync(file(0), 'a', 0o600);
    bytes = fstatSync(fd).size;
  }

  function shut(): void {
    if (fd === null) return;
    const open = fd;
    fd = null;
    closeSync(open);
  }

  function rotate(): void {
    shut();
    try {
      rmSync(file(older), { force: true });
      for (let n = older - 1; n >= 0; n--) {
        if (existsSync(file(n))) renameSync(file(n), file(n + 1));
      }
    } catch {
      // An older file is held by another program: the newest lines matter most, and the log stays bounded.
      truncateSync(file(0));
    }
    open();
  }

  /** Whether the open file is still the one with this name. */
  function isThere(open: number): boolean {
    const found = statSync(file(0), { throwIfNoEntry: false });
    return found?.ino === fstatSync(open).ino;
  }

  function put(line: string): void {
    if (now() - lookedAt >= LOOK_EVERY_MS) {
      lookedAt = now();
      if (fd !== null && !isThere(fd)) shut();
      if (fd === null) open();
    }
    if (fd === null) throw new Error('The log is not open.');
    const text = `${line}\n`;
    const length = Buffer.byteLength(text);
    if (bytes > 0 && bytes + length > maxBytes) rotate();
    writeSync(fd, text);
    bytes += length;
  }

  /** Runs one step of the log. A failure closes the file until the next look. */
  function attempt(step: () => void): boolean {
    try {
      step();
      return true;
    } catch {
      try {
        shut();
      } catch {
        // Nothing is left to close.
      }
      return false;
    }
  }

  attempt(() => {
    lookedAt = now();
    open();
  });
  return {
    write(line) {
      if (isClosed) return;
      if (lost > 0 && now() - lookedAt >= LOOK_EVERY_MS) {
        const notice = `${new Date(now()).toISOString()} desktop: ${lost} lines are missing here, because the log could not be written`;
        if (attempt(() => put(notice))) lost = 0;
      }
      if (!attempt(() => put(line))) lost += 1;
    },
    close() {
      isClosed = true;
      attempt(shut);
    },
  };
}
