/**
 * The file of an update: a tar archive of plain files in a fixed order, `manifest.json`, `manifest.sig`, then the files that the
 * manifest lists, below `files/`. Nothing else is accepted, so that no entry can be a link or lie outside of its folder.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Refusal } from '../../refusals/refusal.ts';

const BLOCK_BYTES = 512;
const NAME_BYTES = 100;
const PREFIX_BYTES = 155;
/** Two empty blocks end the archive. */
const END_BYTES = 2 * BLOCK_BYTES;

export const MANIFEST_NAME = 'manifest.json';
export const SIGNATURE_NAME = 'manifest.sig';
export const FILES_PREFIX = 'files/';

export type ArchiveEntry = { name: string; bytes: number; offset: number };

export const damaged = (message: string): Refusal =>
  new Refusal('update_refused', { args: { problem: 'damaged' }, message });

const padded = (bytes: number): number => Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;

/** The header of a plain file. @throws if the name is too long for the format */
export function tarHeader(name: string, bytes: number, isExecutable = false): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  const { front, prefix } = splitName(name);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  header.write(front, 0);
  header.write(octal(isExecutable ? 0o755 : 0o644, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(bytes, 11), 124);
  header.write(octal(0, 11), 136);
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  header.write(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\u0000 `, 148);
  return header;
}

/** What follows a file's content, up to the next header. */
export const tarPadding = (bytes: number): Buffer => Buffer.alloc(padded(bytes) - bytes);
export const tarEnd = (): Buffer => Buffer.alloc(END_BYTES);

function splitName(name: string): { front: string; prefix: string } {
  if (Buffer.byteLength(name) <= NAME_BYTES) return { front: name, prefix: '' };
  for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1)) {
    const [prefix, front] = [name.slice(0, at), name.slice(at + 1)];
    if (Buffer.byteLength(front) <= NAME_BYTES && Buffer.byteLength(prefix) <= PREFIX_BYTES)
      return { front, prefix };
  }
  throw new Error(`The path ${name} is too long for the archive.`);
}

/** The file's entries in their order. @throws Refusal `update_refused` unless all of it is plain files */
export async function readEntries(file: FileHandle, mostEntries: number): Promise<ArchiveEntry[]> {
  const { size } = await file.stat();
  const entries: ArchiveEntry[] = [];
  let at = 0;
  for (;;) {
    const header = await readAt(file, at, BLOCK_BYTES);
    if (header.every((byte) => byte === 0)) break;
    const entry = entryOf(header, at + BLOCK_BYTES);
    entries.push(entry);
    const end = entry.offset + entry.bytes;
    at = entry.offset + padded(entry.bytes);
    if (at > size || entries.length > mostEntries)
      throw damaged('The update is cut off, or this is another file.');
    if ((await readAt(file, end, at - end)).some((byte) => byte !== 0))
      throw damaged('The update has something between its files.');
  }
  if (size !== at + END_BYTES || (await readAt(file, at, END_BYTES)).some((byte) => byte !== 0))
    throw damaged('The update is cut off, or something was added to it.');
  return entries;
}

function entryOf(header: Buffer, offset: number): ArchiveEntry {
  const text = (from: number, bytes: number) => {
    const field = header.subarray(from, from + bytes);
    const end = field.indexOf(0);
    return field.subarray(0, end === -1 ? bytes : end).toString('utf8');
  };
  const prefix = text(345, PREFIX_BYTES);
  const name = `${prefix === '' ? '' : `${prefix}/`}${text(0, NAME_BYTES)}`;
  const bytes = Number.parseInt(text(124, 12), 8);
  const isExecutable = Number.parseInt(text(100, 8), 8) === 0o755;
  // Written again, it must be the same: no links, no extensions, no second way to say something.
  if (!Number.isSafeInteger(bytes) || bytes < 0 || !isSame(name, bytes, isExecutable, header))
    throw damaged('The update has an entry that is no plain file.');
  return { name, bytes, offset };
}

function isSame(name: string, bytes: number, isExecutable: boolean, header: Buffer): boolean {
  try {
    return tarHeader(name, bytes, isExecutable).equals(header);
  } catch {
    return false;
  }
}

/** @throws Refusal `update_refused` if the file ends before */
export async function readAt(file: FileHandle, offset: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes);
  let filled = 0;
  while (filled < bytes) {
    const { bytesRead } = await file.read(buffer, filled, bytes - filled, offset + filled);
    if (bytesRead === 0) throw damaged('The update is cut off, or this is another file.');
    filled += bytesRead;
  }
  return buffer;
}

const contentOf = (file: string, { offset, bytes }: ArchiveEntry) =>
  createReadStream(file, { start: offset, end: offset + bytes - 1 });

/** SHA-256 of an entry's content, in hexadecimal. */
export async function hashOf(file: string, entry: ArchiveEntry): Promise<string> {
  const hash = createHash('sha256');
  if (entry.bytes > 0) await pipeline(contentOf(file, entry), hash);
  else hash.end();
  return hash.digest('hex');
}

/**
 * Writes an entry's content durably to a new file and reads its hash on the way. The caller makes the names in the folders durable.
 * @returns the SHA-256, in hexadecimal
 */
export async function extract(
  file: string,
  entry: ArchiveEntry,
  target: string,
  isExecutable: boolean,
): Promise<string> {
  await mkdir(path.dirname(target), { recursive: true });
  const hash = createHash('sha256');
  const written = await open(target, 'wx', isExecutable ? 0o755 : 0o644);
  try {
    if (entry.bytes > 0) {
      for await (const chunk of contentOf(file, entry)) {
        hash.update(chunk as Buffer);
        await written.writeFile(chunk as Buffer);
      }
    }
    await written.sync();
  } finally {
    await written.close();
  }
  return hash.digest('hex');
}
