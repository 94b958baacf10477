/**
 * How far the write-ahead log was durable, in a small file beside it. SQLite reads its log up to the first damaged frame
 * and takes that for the end, so without the mark, lost results would not be noticed.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync, rmSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

const MARK_BYTES = 28;
const MAGIC = 0x47484d31;
const LOG_HEADER_BYTES = 32;
/** Without the lowest bit, which is the byte order of the checksums. */
const LOG_MAGIC = 0x377f0682;

export const markPath = (databasePath: string): string => `${databasePath}-mark`;

/** `salts` name the log: SQLite draws others each time that it begins again at the start of the file. */
export type DurableMark = {
  salts: string;
  /** Frames that are durable; 0 while the log may be shortened. */
  frames: number;
  /** When it was written, epoch milliseconds. */
  at: number;
};

/** Nothing is claimed about the log. */
export const NO_MARK = { salts: '0'.repeat(16), frames: 0 } as const;

/** Before a connection without a log of its own opens the database: SQLite removes the log with its last connection. */
export function clearMark(databasePath: string): void {
  if (!existsSync(markPath(databasePath))) return;
  const mark = openMark(databasePath);
  mark.write(NO_MARK);
  mark.close();
}

/** After the last connection was closed, which removed the log. */
export function removeMark(databasePath: string): void {
  if (!existsSync(`${databasePath}-wal`)) rmSync(markPath(databasePath), { force: true });
}

/** Null if there is none, or it was cut off while it was written. */
export function readMark(databasePath: string): DurableMark | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(markPath(databasePath));
  } catch {
    return null;
  }
  if (bytes.length !== MARK_BYTES || bytes.readUInt32BE(0) !== MAGIC) return null;
  if (crc32(bytes.subarray(0, MARK_BYTES - 4)) !== bytes.readUInt32BE(MARK_BYTES - 4)) return null;
  return {
    salts: bytes.toString('hex', 4, 12),
    frames: bytes.readUInt32BE(12),
    at: bytes.readDoubleBE(16),
  };
}

/** Not synced: an older mark is true as well, and a sync for each commit would cost as much as the commit. */
export function openMark(databasePath: string): {
  write: (mark: Omit<DurableMark, 'at'>) => void;
  close: () => void;
} {
  const file = openSync(markPath(databasePath), 'a+', 0o600);
  closeSync(file);
  const descriptor = openSync(markPath(databasePath), 'r+');
  return {
    write({ salts, frames }) {
      const bytes = Buffer.alloc(MARK_BYTES);
      bytes.writeUInt32BE(MAGIC, 0);
      bytes.write(salts, 4, 'hex');
      bytes.writeUInt32BE(frames, 12);
      bytes.writeDoubleBE(Date.now(), 16);
      bytes.writeUInt32BE(crc32(bytes.subarray(0, MARK_BYTES - 4)), MARK_BYTES - 4);
      writeSync(descriptor, bytes, 0, MARK_BYTES, 0);
    },
    close: () => closeSync(descriptor),
  };
}

/** The salts in the header of a log; null if it has none, or a damaged one. @param file an open log, or its path */
export function saltsOf(file: number | string): string | null {
  const header = Buffer.alloc(LOG_HEADER_BYTES);
  try {
    if (typeof file === 'number') readSync(file, header, 0, LOG_HEADER_BYTES, 0);
    else readFromPath(file, header);
  } catch {
    return null;
  }
  return isLogHeader(header) ? header.toString('hex', 16, 24) : null;
}

function readFromPath(path: string, into: Buffer): void {
  const descriptor = openSync(path, 'r');
  try {
    readSync(descriptor, into, 0, into.length, 0);
  } finally {
    closeSync(descriptor);
  }
}

/** SQLite's own checksum (file format, 4.2). */
function isLogHeader(header: Buffer): boolean {
  const magic = header.readUInt32BE(0);
  if ((magic & ~1) >>> 0 !== LOG_MAGIC) return false;
  const wordAt = (at: number) => (magic & 1 ? header.readUInt32BE(at) : header.readUInt32LE(at));
  let [first, second] = [0, 0];
  for (let at = 0; at < 24; at += 8) {
    first = (first + wordAt(at) + second) >>> 0;
    second = (second + wordAt(at + 4) + first) >>> 0;
  }
  return first === header.readUInt32BE(24) && second === header.readUInt32BE(28);
}

export type DamagedLog = {
  /** Of the last state that was known to be durable, epoch milliseconds. */
  durableAt: number;
  /** Frames that were durable, and those that SQLite found again. */
  frames: number;
  found: number;
};

/**
 * Compares the log that SQLite has just recovered with the mark.
 * @param before the mark from before the log was opened
 * @param found frames that SQLite reads
 */
export function damageOf(databasePath: string, before: DurableMark | null, found: number): DamagedLog | null {
  if (before === null || before.frames === 0) return null;
  const salts = saltsOf(`${databasePath}-wal`);
  // A log with other salts began after everything in the one before had reached the database.
  const isOther = salts !== null && salts !== before.salts;
  if (isOther || (salts === before.salts && found >= before.frames)) return null;
  // Another process has shortened the log meanwhile.
  const now = readMark(databasePath);
  if (now?.salts !== before.salts || now.frames < before.frames) return null;
  return { durableAt: before.at, frames: before.frames, found: salts === null ? 0 : found };
}
