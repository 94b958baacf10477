/** Reads a ZIP from a file: its directory, then entries one at a time. Source: PKWARE APPNOTE 6.3, without ZIP64. */
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import { AssetError } from './asset-error.ts';

const inflate = promisify(inflateRaw);

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const CENTRAL_SIGNATURE = 0x02014b50;
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

export type ZipFileEntry = {
  name: string;
  /** Unix rights; 0 where the archive has none. */
  mode: number;
  method: number;
  checksum: number;
  packedBytes: number;
  offset: number;
};

export type ZipFile = {
  entries: readonly ZipFileEntry[];
  /** @throws AssetError where the entry is damaged */
  read(entry: ZipFileEntry): Promise<Buffer>;
  close(): Promise<void>;
};

export async function openZip(path: string): Promise<ZipFile> {
  const file = await open(path, 'r');
  try {
    const entries = await readDirectory(file);
    return { entries, read: (entry) => readEntry(file, entry), close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  if (bytesRead < length) throw new AssetError('The archive is cut off.');
  return buffer;
}

async function readDirectory(file: FileHandle): Promise<ZipFileEntry[]> {
  const { size } = await file.stat();
  const tailBytes = Math.min(size, END_BYTES + MAX_COMMENT_BYTES);
  const tail = await bytesAt(file, size - tailBytes, tailBytes);
  const signature = Buffer.alloc(4);
  signature.writeUInt32LE(END_SIGNATURE);
  const end = tail.lastIndexOf(signature);
  if (end < 0) throw new AssetError('This is not a ZIP archive.');
  const count = tail.readUInt16LE(end + 10);
  const directory = await bytesAt(file, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  const entries: ZipFileEntry[] = [];
  for (let at = 0, n = 0; n < count; n++) {
    if (directory.readUInt32LE(at) !== CENTRAL_SIGNATURE) throw new AssetError('The archive is damaged.');
    const nameBytes = directory.readUInt16LE(at + 28);
    entries.push({
      name: directory.toString('utf8', at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameBytes),
      mode: (directory.readUInt32LE(at + 38) >>> 16) & 0o777,
      method: directory.readUInt16LE(at + 10),
      checksum: directory.readUInt32LE(at + 16),
      packedBytes: directory.readUInt32LE(at + 20),
      offset: directory.readUInt32LE(at + 42),
    });
    at += CENTRAL_BYTES + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

async function readEntry(file: FileHandle, entry: ZipFileEntry): Promise<Buffer> {
  const local = await bytesAt(file, entry.offset, LOCAL_BYTES);
  const start = entry.offset + LOCAL_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28);
  const packed = await bytesAt(file, start, entry.packedBytes);
  const content = await unpack(entry, packed);
  if (crc32(content) !== entry.checksum) throw new AssetError(`${entry.name} in the archive is damaged.`);
  return content;
}

async function unpack({ name, method }: ZipFileEntry, packed: Buffer): Promise<Buffer> {
  if (method === STORED) return packed;
  if (method === DEFLATED) return inflate(packed);
  throw new AssetError(`${name} is packed in a way that is not known (${method}).`);
}
